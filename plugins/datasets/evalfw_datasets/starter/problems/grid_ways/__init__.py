"""Ways through a rectangle."""
