//! Heat maps of two piles that can go into a paper: axes, colour bar and title, as PNG or SVG.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;

use atomic_write_file::AtomicWriteFile;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use super::table::write_error;
use crate::error::{Error, Result};

/// What to draw.
pub struct HeatMap<'a> {
    /// One line above the picture.
    pub title: String,
    /// Both piles are below this.
    pub side: u64,
    /// The value of two piles.
    pub value: Box<dyn Fn(u64, u64) -> u64 + 'a>,
}

#[derive(Clone, Copy)]
enum Kind {
    Png,
    Svg,
}

/// A picture about to be written: nothing appears under its name before it is whole.
pub struct PlotFile {
    path: PathBuf,
    kind: Kind,
    file: AtomicWriteFile,
}

/// The picture's side, about; cells take whole pixels.
const PIXELS: u64 = 768;
/// More cells than this in a direction are thinned out, so that pictures stay small.
const MOST_CELLS: u64 = 1536;
const FONT: &str = "sans-serif";
const TITLE: i32 = 26;
const LABEL: i32 = 20;
/// Space around: title above, axis on the left, axis below, colour bar on the right.
const ABOVE: u32 = 56;
const LEFT: u32 = 92;
const BELOW: u32 = 100;
const RIGHT: u32 = 160;
/// Of the space on the left and below, what the axes' numbers and names take.
const LEFT_LABELS: u32 = 80;
const BELOW_LABELS: u32 = 62;
/// In bitmaps the font's middle lies above that of its digits; readers of SVG set text on its middle.
const DIGITS_DOWN: i32 = 3;
const BAR: u32 = 28;
const GAP: u32 = 28;
/// P-positions stand out from the colours of values.
const P_POSITION: RGBColor = RGBColor(230, 20, 20);

impl PlotFile {
    /// Opens a hidden file beside `path`.
    ///
    /// # Errors
    /// [`Error::Usage`] for a name that ends in neither `.png` nor `.svg`; [`Error::Write`] if the folder is missing or
    /// may not be written to.
    pub fn create(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let kind = match extension.as_deref() {
            Some("png") => Kind::Png,
            Some("svg") => Kind::Svg,
            _ => {
                let path = path.display();
                return Err(Error::Usage(format!("--plot {path} ends in neither .png nor .svg; name such a file")));
            }
        };
        let failed = write_error(path, "name a file in a folder that exists and may be written to");
        let file = crate::record::open_atomic(path).map_err(failed)?;
        Ok(Self { path: path.into(), kind, file })
    }

    /// Draws the picture and puts the file in place.
    ///
    /// # Errors
    /// [`Error::Write`]; the name then holds what it held before.
    pub fn draw(mut self, map: &HeatMap<'_>) -> Result<()> {
        let failed = write_error(&self.path, "free some space, or name a file elsewhere");
        let bytes = map.encode(self.kind).map_err(|e| failed(std::io::Error::other(e.to_string())))?;
        self.file.write_all(&bytes).and_then(|()| self.file.commit()).map_err(failed)
    }
}

type Failed = Box<dyn std::error::Error>;

/// The cells of a picture as pixels.
struct Pixels {
    rgb: Vec<u8>,
    side: u32,
    most: u64,
    step: u64,
}

impl HeatMap<'_> {
    fn encode(&self, kind: Kind) -> std::result::Result<Vec<u8>, Failed> {
        static FONTS: Once = Once::new();
        // A font that comes with the program: none need be installed, and pictures look the same everywhere.
        FONTS.call_once(|| {
            let _ = register_font(FONT, FontStyle::Normal, dejavu::sans::regular());
        });
        let pixels = self.pixels();
        let (width, height) = (LEFT + pixels.side + RIGHT, ABOVE + pixels.side + BELOW);
        match kind {
            Kind::Svg => {
                let mut text = String::new();
                self.paint(&pixels, 0, SVGBackend::with_string(&mut text, (width, height)).into_drawing_area())?;
                // plotters 0.3.7 names no proper media type, and some readers then show no picture; cells stay sharp when
                // the picture is enlarged.
                let text =
                    text.replace("href=\"data:png;", "style=\"image-rendering:pixelated\" href=\"data:image/png;");
                Ok(text.into_bytes())
            }
            Kind::Png => {
                let mut rgb = vec![0; (width * height * 3) as usize];
                self.paint(
                    &pixels,
                    DIGITS_DOWN,
                    BitMapBackend::with_buffer(&mut rgb, (width, height)).into_drawing_area(),
                )?;
                let mut bytes = Vec::new();
                let mut encoder = png::Encoder::new(&mut bytes, width, height);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_compression(png::Compression::Best);
                encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
                encoder.write_header()?.write_image_data(&rgb)?;
                Ok(bytes)
            }
        }
    }

    fn pixels(&self) -> Pixels {
        let step = self.side.div_ceil(MOST_CELLS);
        let shown = self.side.div_ceil(step);
        let zoom = (PIXELS / shown).max(1);
        let values: Vec<u64> = (0..shown * shown).map(|i| (self.value)(i % shown * step, i / shown * step)).collect();
        let most = values.iter().copied().max().unwrap_or(0).max(1);
        let side = shown * zoom;
        let mut rgb = Vec::with_capacity((side * side * 3) as usize);
        // The picture's first row is on top, where y is greatest.
        for row in (0..side).rev() {
            for column in 0..side {
                let RGBColor(r, g, b) = colour(values[(row / zoom * shown + column / zoom) as usize], most);
                rgb.extend([r, g, b]);
            }
        }
        Pixels { rgb, side: side as u32, most, step }
    }

    fn paint<B: DrawingBackend>(
        &self,
        pixels: &Pixels,
        digits_down: i32,
        root: DrawingArea<B, plotters::coord::Shift>,
    ) -> std::result::Result<(), Failed>
    where
        B::ErrorType: 'static,
    {
        let Pixels { side, most, step, .. } = *pixels;
        root.fill(&WHITE)?;
        let font = |size: i32| (FONT, size).into_font();
        let centred = |size: i32| {
            use plotters::style::text_anchor::{HPos, Pos, VPos};
            font(size).color(&BLACK).pos(Pos::new(HPos::Center, VPos::Center))
        };
        let middle = (LEFT + side / 2) as i32;
        root.draw_text(&self.title, &centred(TITLE), (middle, ABOVE as i32 / 2))?;
        let mut note = "red: P-positions (value 0)".to_string();
        if step > 1 {
            note += &format!("; every {step}th pile in each direction is drawn");
        }
        root.draw_text(&note, &centred(LABEL - 2), (middle, (ABOVE + side + BELOW) as i32 - 18))?;

        // The picture: x to the right, y upwards, cell (x, y) from (x, y) to (x+1, y+1), labelled at its middle.
        let end = pixels.step as f64 * (side as f64 / zoom_of(side, self.side, step));
        let area = root.clone().shrink((LEFT - LEFT_LABELS, ABOVE), (LEFT_LABELS + side, side + BELOW_LABELS));
        let mut chart = ChartBuilder::on(&area)
            .x_label_area_size(BELOW_LABELS)
            .y_label_area_size(LEFT_LABELS)
            .build_cartesian_2d(-0.5..end - 0.5, -0.5..end - 0.5)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_desc("pile x")
            .y_desc("pile y")
            .x_label_formatter(&whole)
            .y_label_formatter(&whole)
            .y_label_offset(digits_down)
            .label_style(font(LABEL))
            .draw()?;
        let (xs, ys) = chart.plotting_area().get_pixel_range();
        let picture = BitMapElement::with_owned_buffer((xs.start, ys.start), (side, side), pixels.rgb.clone())
            .ok_or("a picture of the wrong size")?;
        root.draw(&picture)?;
        let frame = |left: i32, top: i32, width: u32, height: u32| {
            Rectangle::new([(left - 1, top - 1), (left + width as i32, top + height as i32)], BLACK.stroke_width(1))
        };
        root.draw(&frame(xs.start, ys.start, side, side))?;

        // The colour bar.
        let (left, top) = ((LEFT + side + GAP) as i32, ABOVE as i32);
        let mut bar = Vec::with_capacity((BAR * side * 3) as usize);
        for row in (0..side).rev() {
            let RGBColor(r, g, b) = shade(f64::from(row) / f64::from(side.max(2) - 1));
            (0..BAR).for_each(|_| bar.extend([r, g, b]));
        }
        let bar = BitMapElement::with_owned_buffer((left, top), (BAR, side), bar).ok_or("a bar of the wrong size")?;
        root.draw(&bar)?;
        root.draw(&frame(left, top, BAR, side))?;
        use plotters::style::text_anchor::{HPos, Pos, VPos};
        let beside = font(LABEL).color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
        for value in ticks(most) {
            let y = top + (f64::from(side) * (1.0 - value as f64 / most as f64)) as i32;
            let x = left + BAR as i32;
            root.draw(&PathElement::new(vec![(x, y), (x + 6, y)], BLACK))?;
            root.draw_text(&value.to_string(), &beside, (x + 11, y + digits_down))?;
        }
        root.draw_text("value", &centred(LABEL), (left + BAR as i32 / 2, top + side as i32 + 22))?;
        root.present()?;
        Ok(())
    }
}

/// Pixels of a cell.
fn zoom_of(pixels: u32, side: u64, step: u64) -> f64 {
    f64::from(pixels) / side.div_ceil(step) as f64
}

fn whole(n: &f64) -> String {
    format!("{}", n.round() as i64)
}

fn colour(value: u64, most: u64) -> RGBColor {
    if value == 0 { P_POSITION } else { shade(value as f64 / most as f64) }
}

fn shade(part: f64) -> RGBColor {
    ViridisRGB.get_color_normalized(part as f32, 0.0, 1.0)
}

/// About six round numbers from 0 to `most`, and `most` itself.
fn ticks(most: u64) -> Vec<u64> {
    let step = (0..)
        .flat_map(|power| [1u64, 2, 5].map(|digit| digit * 10u64.pow(power)))
        .find(|step| most / step <= 6)
        .expect("a step");
    let mut ticks: Vec<u64> = (0..=most).step_by(step as usize).collect();
    if most.is_multiple_of(step) {
        return ticks;
    }
    // The greatest value takes the place of a round number that its label would touch.
    if most % step * 4 < step {
        ticks.pop();
    }
    ticks.push(most);
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_end_at_the_most() {
        assert_eq!(ticks(1), [0, 1]);
        assert_eq!(ticks(350), [0, 100, 200, 300, 350]);
        assert_eq!(ticks(310), [0, 50, 100, 150, 200, 250, 310]);
        assert_eq!(ticks(600), [0, 100, 200, 300, 400, 500, 600]);
    }

    #[test]
    fn a_cell_is_a_square_of_its_colour() {
        let map = HeatMap { title: String::new(), side: 3, value: Box::new(|x, y| x + 3 * y) };
        let pixels = map.pixels();
        let zoom = 256;
        assert_eq!(pixels.side, 3 * zoom);
        for (x, y) in [(0, 0), (2, 1), (1, 2)] {
            // y upwards
            let (column, row) = (x * zoom + 7, (3 - y) * zoom - 7);
            let at = ((row * pixels.side + column) * 3) as usize;
            let RGBColor(r, g, b) = colour(u64::from(x + 3 * y), 8);
            assert_eq!(pixels.rgb[at..at + 3], [r, g, b]);
        }
    }
}
