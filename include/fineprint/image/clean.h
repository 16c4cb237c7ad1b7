// Prepares pictures of scanned pages for OCR.
#pragma once

#include "fineprint/core/image.h"

namespace fineprint::image {

// Returns the picture with the given size. Shrinks by area averaging, enlarges with a bicubic
// filter. Throws Error(internal) if a side is not positive.
Image resize(const Image& image, int width, int height);

// Returns the angle by which the text lines of a grey page are tilted, in degrees within +-5;
// counter-clockwise is positive. Returns 0 if the angle cannot be determined.
double skew_degrees(const Image& grey);
// Returns whether the text lines of a grey page run up or down, as on a page that was scanned
// sideways. Returns false if that cannot be determined.
bool is_sideways(const Image& grey);
// Returns the page turned by so many quarters of a circle. Positive quarters turn
// counter-clockwise. For example, 1 turns left and -1 turns right.
Image quarter_turned(const Image& grey, int quarters);
// Returns the page turned by `degrees` about its centre, counter-clockwise if positive. Keeps the
// size and fills the corners with white.
Image rotate(const Image& grey, double degrees);

// Returns the share of pixels, 0 to 1, that are clearly darker or lighter than the background of
// their page. A blank page has 0, whatever its colour.
double ink_share(const Image& grey);

// Returns the part of the picture within the rectangle [x0, x1) x [y0, y1), in pixels. The
// rectangle is cut to the picture, but keeps at least one pixel.
Image cropped(const Image& image, int x0, int y0, int x1, int y1);

// Returns the number of pieces of a grey picture that look like lines of letters, 5 to 40 points
// high at `dpi`, on any background. This is a cheap first look before OCR: it lets some foliage and
// fabric pass and misses single words.
int lines_of_letters(const Image& grey, double dpi);

}  // namespace fineprint::image
