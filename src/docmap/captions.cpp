// Reads names and numbers from captions.
#include "docmap/captions.h"

#include <algorithm>
#include <array>
#include <optional>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::docmap {
namespace {

struct CaptionWord {
  std::string_view folded;
  std::string_view name;
  std::optional<MappedKind> kind;  // absent: as the layout says
};

// The words by which the page's layout recognises captions.
constexpr std::array<CaptionWord, 10> kWords = {{{"figure", "Figure", MappedKind::figure},
                                                 {"fig", "Figure", MappedKind::figure},
                                                 {"table", "Table", MappedKind::table},
                                                 {"chart", "Chart", MappedKind::chart},
                                                 {"graph", "Chart", MappedKind::chart},
                                                 {"diagram", "Diagram", MappedKind::figure},
                                                 {"scheme", "Scheme", MappedKind::figure},
                                                 {"map", "Map", MappedKind::figure},
                                                 {"plate", "Plate", MappedKind::figure},
                                                 {"exhibit", "Exhibit", {}}}};

struct RomanSign {
  std::string_view sign;
  int value = 0;
};
constexpr std::array<RomanSign, 9> kRomanSigns = {{{"C", 100},
                                                   {"XC", 90},
                                                   {"L", 50},
                                                   {"XL", 40},
                                                   {"X", 10},
                                                   {"IX", 9},
                                                   {"V", 5},
                                                   {"IV", 4},
                                                   {"I", 1}}};

std::string roman(int number) {
  std::string out;
  for (const RomanSign& sign : kRomanSigns) {
    for (; number >= sign.value; number -= sign.value) out += sign.sign;
  }
  return out;
}

}  // namespace

std::string without_last_signs(std::string_view word) {
  const std::string_view signs = ".:,;)-";
  while (!word.empty() && signs.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  return std::string(word);
}

std::string arabic_number(const std::string& number) {
  // Single "C" and "L" are letters of exhibits and figures rather than 100 and 50.
  if (number == "C" || number == "L") return number;
  int value = 0;
  std::string_view rest = number;
  for (const RomanSign& sign : kRomanSigns) {
    for (; rest.starts_with(sign.sign); rest.remove_prefix(sign.sign.size())) value += sign.value;
  }
  // Converting back refuses numbers that nobody writes, such as "IIII".
  const bool is_roman = value > 0 && rest.empty() && roman(value) == number;
  return is_roman ? std::to_string(value) : number;
}

CaptionParts caption_parts(std::string_view caption, MappedKind kind) {
  const std::string line = one_line(caption);
  const std::size_t blank = line.find(' ');
  const std::string first = fold(without_last_signs(line.substr(0, blank)));
  for (const CaptionWord& word : kWords) {
    if (blank == std::string::npos || first != word.folded) continue;
    const std::size_t end = std::min(line.find(' ', blank + 1), line.size());
    const std::string number = without_last_signs(line.substr(blank + 1, end - blank - 1));
    // "Figure" alone names nothing that a question could refer to.
    if (number.empty()) break;
    const std::string rest = end < line.size() ? line.substr(end + 1) : std::string();
    return {format("{} {}", word.name, arabic_number(number)), rest, word.kind.value_or(kind)};
  }
  return {"", line, kind};
}

}  // namespace fineprint::docmap
