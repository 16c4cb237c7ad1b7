// Recognises animations.
#pragma once

#include <cstdint>
#include <span>

namespace fineprint::image {

// Returns whether a GIF or PNG file has more than one frame, by its blocks or chunks; nothing is
// decoded. Returns false for other files and for files that break off. The libraries that draw such
// files show one frame, which need not be the one that a person has seen.
// Sources: CompuServe, "Graphics Interchange Format 89a" (1990); W3C, "PNG" (third edition, 2025),
// section 11.3.5.
bool is_animation(std::span<const std::uint8_t> bytes);

}  // namespace fineprint::image
