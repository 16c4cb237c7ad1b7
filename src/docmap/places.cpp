// Finds pages and elements by name.
#include "fineprint/docmap/places.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fineprint/core/unicode.h"

#include "docmap/captions.h"

namespace fineprint::docmap {
namespace {

std::string upper_ascii(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

// Returns a page number, which may be written in Roman numerals, or 0 for any other text.
int number_of_page(const std::string& text) {
  const std::string digits = arabic_number(upper_ascii(text));
  int number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  return error == std::errc() && stop == end ? number : 0;
}

// Returns "Table" and "3" for "Table 3".
std::pair<std::string, std::string> word_and_number(const std::string& name) {
  const std::size_t blank = std::min(name.find(' '), name.size());
  return {name.substr(0, blank), name.substr(std::min(blank + 1, name.size()))};
}

bool means_chart(const std::string& word) { return word == "Figure" || word == "Chart"; }

bool answers_to(const MappedElement& element, const std::string& name) {
  if (element.name == name) return true;
  const auto [word, number] = word_and_number(name);
  const auto [own_word, own_number] = word_and_number(element.name);
  return element.kind == MappedKind::chart && means_chart(word) && means_chart(own_word) &&
         number == own_number;
}

}  // namespace

std::vector<int> pages_named(const DocumentMap& map, std::span<const std::string> labels,
                             std::string_view name) {
  const auto [word, wanted] = word_and_number(without_last_signs(one_line(name)));
  if (fold(word) != "page" || wanted.empty()) return {};
  std::vector<int> pages;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == wanted) pages.push_back(static_cast<int>(i) + 1);
  }
  // Printed labels come first, because people read the number from the page itself.
  const int number = number_of_page(wanted);
  const bool is_there = number >= 1 && number <= map.pages_total;
  if (is_there && std::ranges::find(pages, number) == pages.end()) pages.push_back(number);
  return pages;
}

std::vector<std::size_t> elements_named(const DocumentMap& map, std::string_view name) {
  const std::string wanted = caption_parts(name, MappedKind::figure).name;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < map.elements.size(); ++i) {
    if (!wanted.empty() && answers_to(map.elements[i], wanted)) found.push_back(i);
  }
  return found;
}

}  // namespace fineprint::docmap
