mod position;
