// MuPDF devices that tell chosen texts of a page from all others.
#pragma once

#include <cstdint>

#include <mupdf/fitz.h>

namespace fineprint::pdf {

// Numbers of texts, ascending. Numbers count the texts of a page in the order of device calls, from
// 1, as an ink watch does. The numbers must outlive the device.
struct ChosenTexts {
  const std::uint32_t* numbers;
  std::size_t count;
};

// Returns a device that passes everything on to `target` except the chosen texts. What a chosen
// text would clip is not painted either. Closing it closes both. Call it inside `guarded`.
fz_device* new_text_remover(fz_context* context, fz_device* target, ChosenTexts chosen);

// Returns a device that fills the glyphs of the chosen texts on `chosen_target`, and those of all
// others on `other_target`, in black, whatever hides them on the page. Nothing else is passed on.
// The device does not own the targets. Call it inside `guarded`.
fz_device* new_glyph_sorter(fz_context* context, fz_device* chosen_target, fz_device* other_target,
                            ChosenTexts chosen);

}  // namespace fineprint::pdf
