// Checks the pictures that engines are given.
#include "fineprint/ocr/engine.h"

#include "fineprint/core/error.h"

namespace fineprint::ocr {

bool is_readable(const Image& grey, double dpi) {
  constexpr int kMinSide = 8;  // pixels; Tesseract complains about anything smaller
  if (grey.channels != 1 || dpi <= 0) {
    throw Error(ErrorCode::internal, "OCR needs a grey image and a resolution above 0");
  }
  return grey.width >= kMinSide && grey.height >= kMinSide;
}

}  // namespace fineprint::ocr
