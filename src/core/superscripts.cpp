// Pairs of plain characters and their superscripts.
#include "fineprint/core/superscripts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fineprint/core/unicode.h"

namespace fineprint {
namespace {

using Pair = std::pair<char32_t, char32_t>;  // plain, superscript

// Unicode has no superscript of q, and of few capitals.
constexpr std::array<Pair, 54> kPairs = {{
    {'0', 0x2070}, {'1', 0xB9},   {'2', 0xB2},   {'3', 0xB3},      {'4', 0x2074}, {'5', 0x2075},
    {'6', 0x2076}, {'7', 0x2077}, {'8', 0x2078}, {'9', 0x2079},    {'+', 0x207A}, {'-', 0x207B},
    {'=', 0x207C}, {'(', 0x207D}, {')', 0x207E}, {0x2212, 0x207B}, {'a', 0x1D43}, {'b', 0x1D47},
    {'c', 0x1D9C}, {'d', 0x1D48}, {'e', 0x1D49}, {'f', 0x1DA0},    {'g', 0x1D4D}, {'h', 0x2B0},
    {'i', 0x2071}, {'j', 0x2B2},  {'k', 0x1D4F}, {'l', 0x2E1},     {'m', 0x1D50}, {'n', 0x207F},
    {'o', 0x1D52}, {'p', 0x1D56}, {'r', 0x2B3},  {'s', 0x2E2},     {'t', 0x1D57}, {'u', 0x1D58},
    {'v', 0x1D5B}, {'w', 0x2B7},  {'x', 0x2E3},  {'y', 0x2B8},     {'z', 0x1DBB}, {'A', 0x1D2C},
    {'B', 0x1D2E}, {'D', 0x1D30}, {'E', 0x1D31}, {'G', 0x1D33},    {'H', 0x1D34}, {'I', 0x1D35},
    {'J', 0x1D36}, {'K', 0x1D37}, {'L', 0x1D38}, {'M', 0x1D39},    {'N', 0x1D3A}, {'T', 0x1D40},
}};

bool is_note_sign(char32_t c) { return c == '*' || c == 0x2020 || c == 0x2021 || c == 0x2016; }

}  // namespace

char32_t superscript_of(char32_t plain) {
  const auto found = std::ranges::find(kPairs, plain, &Pair::first);
  return found == kPairs.end() ? 0 : found->second;
}

char32_t plain_of_superscript(char32_t c) {
  if (c < 0x80) return 0;
  const auto found = std::ranges::find(kPairs, c, &Pair::second);
  return found == kPairs.end() ? 0 : found->first;
}

std::string raised_text(std::string_view utf8) {
  constexpr std::size_t kLongest = 6;
  if (count_code_points(utf8) > kLongest) return std::string(utf8);
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = next_code_point(utf8, &at);
    const char32_t raised = superscript_of(c);
    append_utf8(raised == 0 ? c : raised, &out);
  }
  return out;
}

bool is_note_mark(std::string_view word) {
  bool marks = false;
  for (std::size_t at = 0; at < word.size();) {
    const char32_t c = next_code_point(word, &at);
    const bool is_mark = is_note_sign(c) || plain_of_superscript(c) != 0;
    if (!is_mark && c != ',' && c != '(' && c != ')' && c != '[' && c != ']') return false;
    marks = marks || is_mark;
  }
  return marks;
}

std::string without_note_marks(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (!is_note_mark(word)) out.append(out.empty() ? "" : " ").append(word);
    begin = end + 1;
  }
  return out.empty() ? std::string(text) : out;
}

}  // namespace fineprint
