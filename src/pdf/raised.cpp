// Compares the size and the baseline of neighbouring characters.
#include "pdf/raised.h"

#include <algorithm>

namespace fineprint::pdf {
namespace {

constexpr float kSmallerThanBase =
    0.87F;  // of the size of its neighbour; a raised character is smaller
constexpr float kRiseOfSmaller =
    0.12F;  // of the neighbour's size; the least of a smaller character
constexpr float kHighestOfRaised =
    0.9F;                          // of the neighbour's size; a higher character is on another line
constexpr float kOwnRise = 0.25F;  // of the neighbour's size; the least at the same size
constexpr std::size_t kLongest = 6;  // characters of a mark or an exponent

bool blank_between(int c) { return c == ' ' || c == 0xA0; }

// Returns whether `c` is raised against a neighbour.
bool is_above(const fz_stext_line& line, const fz_stext_char& c, const fz_stext_char& neighbour) {
  const float rise = (c.origin.x - neighbour.origin.x) * line.dir.y -
                     (c.origin.y - neighbour.origin.y) * line.dir.x;
  const float least = c.size < kSmallerThanBase * neighbour.size ? kRiseOfSmaller : kOwnRise;
  return c.size < 1.05F * neighbour.size && rise > least * neighbour.size &&
         rise < kHighestOfRaised * neighbour.size;
}

// Drops runs that are too long for a mark. Blanks do not end a run, because small text has blanks,
// too.
void keep_short_runs(const std::vector<const fz_stext_char*>& characters,
                     std::vector<bool>* raised) {
  for (std::size_t begin = 0; begin < raised->size();) {
    if (!(*raised)[begin]) {
      ++begin;
      continue;
    }
    std::size_t end = begin, length = 0;
    while (end < raised->size() && ((*raised)[end] || blank_between(characters[end]->c))) {
      length += blank_between(characters[end++]->c) ? 0 : 1;
    }
    if (length > kLongest)
      std::fill_n(raised->begin() + static_cast<std::ptrdiff_t>(begin), end - begin, false);
    begin = end;
  }
}

}  // namespace

std::vector<bool> raised_characters(const fz_stext_line& line) {
  std::vector<const fz_stext_char*> characters;
  for (const fz_stext_char* c = line.first_char; c != nullptr; c = c->next) characters.push_back(c);
  std::vector<bool> raised(characters.size(), false);
  if (line.wmode != 0) return raised;
  const fz_stext_char* base = nullptr;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const fz_stext_char& c = *characters[i];
    if (blank_between(c.c)) continue;
    if (base != nullptr) {
      raised[i] = is_above(line, c, *base);
    } else {
      // A mark at the beginning is smaller than what follows.
      const auto larger = std::find_if(
          characters.begin() + static_cast<std::ptrdiff_t>(i), characters.end(),
          [&](const fz_stext_char* other) { return c.size < kSmallerThanBase * other->size; });
      raised[i] = larger != characters.end() && is_above(line, c, **larger);
    }
    if (!raised[i]) base = &c;
  }
  keep_short_runs(characters, &raised);
  return raised;
}

}  // namespace fineprint::pdf
