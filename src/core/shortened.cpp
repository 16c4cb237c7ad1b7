// Cuts long texts in the middle.
#include "fineprint/core/shortened.h"

namespace fineprint {
namespace {

// Returns the largest position up to `at` at which a UTF-8 character begins.
std::size_t character_begin(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  // Messages begin with what failed and where, and end with what to do, so both ends are kept.
  const std::size_t begin = character_begin(text, most / 4 * 3);
  const std::size_t end = character_begin(text, text.size() - most / 4);
  return std::string(text.substr(0, begin)) + " ... (" + std::to_string(end - begin) +
         " bytes left out) ... " + std::string(text.substr(end));
}

}  // namespace fineprint
