// Cuts texts in the middle.
#include "fineprint/core/shortened.h"

namespace fineprint {
namespace {

// The largest place at most `at` where a character begins.
std::size_t character_begin(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  // Of a message, where and what stand at its begin, what to do at its end.
  const std::size_t begin = character_begin(text, most / 4 * 3);
  const std::size_t end = character_begin(text, text.size() - most / 4);
  return std::string(text.substr(0, begin)) + " ... (" + std::to_string(end - begin) +
         " bytes left out) ... " + std::string(text.substr(end));
}

}  // namespace fineprint
