// Makes a raster of a scanned page easier to read for OCR.
#pragma once

#include "fineprint/core/image.h"

namespace fineprint::image {

Image to_grey(const Image& image);
// Shrinks by area averaging or enlarges bicubically.
Image resize(const Image& image, int width, int height);

// The angle in degrees (counter-clockwise positive, within +-5) by which the text lines of a grey
// page are tilted; 0 when it can't be told.
double skew_degrees(const Image& grey);
// Whether the text lines of a grey page run up or down it, as on a page scanned sideways; false
// when it can't be told.
bool is_sideways(const Image& grey);
// Turns the page by so many quarters of a circle (counter-clockwise, negative ones the other way).
Image quarter_turned(const Image& grey, int quarters);
// Turns the page by `degrees` about its centre, filling with white, size kept.
Image rotate(const Image& grey, double degrees);

// The share of pixels that are clearly darker or lighter than their page's background: 0 for a
// blank page, whatever its colour.
double ink_share(const Image& grey);

// What lies in the rectangle, in pixels, as far as the picture reaches; at least one pixel.
Image cropped(const Image& image, int x0, int y0, int x1, int y1);

// How many pieces of a grey picture of `dpi` look like lines of letters, 5 to 40 points high, on
// any ground: a cheap first look that lets some foliage and fabric pass and misses single words.
int lines_of_letters(const Image& grey, double dpi);

}  // namespace fineprint::image
