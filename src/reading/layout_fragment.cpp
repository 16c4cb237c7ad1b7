// Cuts a page's words into fragments and describes how each looks.
#include "reading/layout_fragment.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "reading/layout_direction.h"

namespace fineprint::reading {
namespace {

// A fragment continues only if the next word is at the same height.
constexpr float kSharedHeight = 0.5F;  // of the smaller height, must be shared

float size_of(const Word& word) {
  return word.size_pt > 0 ? word.size_pt : std::max(word.box.height(), 1.0F);
}

// Returns whether two words are one above the other. A line of the file need not be one line of the
// page: lines of a cell that are one below the other may come as one.
bool stacked(const Word& a, const Word& b) {
  const float shared = std::min(a.box.y1, b.box.y1) - std::max(a.box.y0, b.box.y0);
  return shared < kSharedHeight * std::min(a.box.height(), b.box.height());
}

// Returns whether two words that follow each other in the text run against the page's direction.
bool runs_backwards(const Word& before, const Word& word, bool mirrored) {
  const bool right_to_left = is_right_to_left(before.text) || is_right_to_left(word.text);
  return right_to_left != mirrored;
}

bool continues(const Word& before, const Word& word, bool mirrored) {
  if (stacked(before, word)) return false;
  const float size = std::max(size_of(before), size_of(word));
  // Allows steps back of up to two sizes, because accents and signs drawn over a letter, and boxes
  // of slanted type, may overlap the word before.
  const auto is_near = [&](float gap) { return gap < kCellGap * size && gap > -2 * size; };
  if (is_near(word.box.x0 - before.box.x1)) return true;
  return runs_backwards(before, word, mirrored) && is_near(before.box.x0 - word.box.x1);
}

void describe(Fragment& fragment, const pdf::RawPage& page) {
  std::map<int, std::uint32_t> characters_of_size;
  std::uint32_t bold = 0;
  for (const std::uint32_t index : fragment.words) {
    const Word& word = page.words[index];
    const auto count = static_cast<std::uint32_t>(word.text.size());
    fragment.box = united(fragment.box, word.box);
    fragment.characters += count;
    if (word.bold) bold += count;
    characters_of_size[static_cast<int>(std::lround(size_of(word) * 4))] += count;
  }
  const auto most =
      std::max_element(characters_of_size.begin(), characters_of_size.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  fragment.size_pt = static_cast<float>(most->first) / 4;
  fragment.bold = bold * 10 >= fragment.characters * 9;  // a plain comma does not matter
  fragment.numeric = is_numeric_cell(text_of(page, fragment.words));
  const std::string& last = page.words[fragment.words.back()].text;
  fragment.ends_with_colon = last.ends_with(':') || last.ends_with("\uFF1A");
}

// Returns 1 if the words of a line run down the page, -1 if they run up, and 0 if they run across.
int line_direction(const pdf::RawPage& page, const Fragment& fragment) {
  if (!fragment.vertical) return 0;
  // One long word says nothing about the direction, unless it is a column of characters.
  if (fragment.words.size() < 2) {
    return is_ideographic(page.words[fragment.words.front()].text) ? 1 : 0;
  }
  const Box& first = page.words[fragment.words.front()].box;
  const Box& last = page.words[fragment.words.back()].box;
  return last.y0 > first.y0 ? 1 : -1;
}

// Returns a box turned by `direction`, 90 or 270; the page is `width` x `height`.
Box turned_box(const Box& box, float width, float height, int direction) {
  if (direction == 90) return {box.y0, width - box.x1, box.y1, width - box.x0};
  return {height - box.y1, box.x0, height - box.y0, box.x1};
}

}  // namespace

bool is_vertical(const Word& word) {
  return word.text.size() >= 4 && word.box.height() > 1.8F * word.box.width() &&
         word.box.height() > 1.8F * size_of(word);
}

std::vector<Fragment> make_fragments(const pdf::RawPage& page, bool mirrored) {
  std::vector<Fragment> fragments;
  for (std::size_t i = 0; i < page.words.size(); ++i) {
    const std::size_t line = i < page.line_of_word.size() ? page.line_of_word[i] : 0;
    const bool same_line =
        i > 0 && i < page.line_of_word.size() && page.line_of_word[i - 1] == line;
    const Word& word = page.words[i];
    // Gaps in turned text run along the other axis, so its lines stay as the file has them.
    if (same_line && (fragments.back().vertical || continues(page.words[i - 1], word, mirrored))) {
      fragments.back().words.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    Fragment& fragment = fragments.emplace_back();
    fragment.order = static_cast<std::uint32_t>(fragments.size() - 1);
    fragment.words.push_back(static_cast<std::uint32_t>(i));
    fragment.vertical = is_vertical(word);
  }
  for (Fragment& fragment : fragments) describe(fragment, page);
  return fragments;
}

std::string text_of(const pdf::RawPage& page, const std::vector<std::uint32_t>& words) {
  std::string text;
  for (const std::uint32_t index : words) {
    if (!text.empty()) text += ' ';
    text += page.words[index].text;
  }
  return text;
}

// Allows up to three letters, and no more than digits: "250 bps", "FY21", "3.5x", but not "Item 7".
bool is_numeric_cell(std::string_view text) {
  if (text.size() > 24) return false;
  static constexpr std::string_view kAlone[] = {
      "$", "%", "-", "–", "—", "€", "£", "¥", ")", "*", "n/a", "N/A", "NM", "nm", "N.M.", "✓", "−"};
  if (std::find(std::begin(kAlone), std::end(kAlone), text) != std::end(kAlone)) return true;
  std::size_t digits = 0, letters = 0;
  for (const char c : text) {
    digits += c >= '0' && c <= '9';
    letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  return digits > 0 && letters <= 3 && letters <= digits;
}

float body_size(const std::vector<Fragment>& fragments) {
  std::map<int, std::uint64_t> characters;
  for (const Fragment& fragment : fragments) {
    if (!fragment.vertical) {
      characters[static_cast<int>(std::lround(fragment.size_pt * 2))] += fragment.characters;
    }
  }
  if (characters.empty()) return 0;
  const auto most = std::max_element(characters.begin(), characters.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  return static_cast<float>(most->first) / 2;
}

int text_direction(const pdf::RawPage& page, const std::vector<Fragment>& fragments) {
  std::size_t down = 0, up = 0, turned = 0, all = 0;
  for (const Fragment& fragment : fragments) {
    const int direction = line_direction(page, fragment);
    all += fragment.characters;
    if (fragment.vertical) turned += fragment.characters;
    if (direction > 0) down += fragment.characters;
    if (direction < 0) up += fragment.characters;
  }
  // Single words are turned as the lines of several words are.
  if (turned * 2 <= all || up == down) return 0;
  return down > up ? 90 : 270;
}

pdf::RawPage upright(const pdf::RawPage& page, int direction) {
  pdf::RawPage result = page;
  std::swap(result.width_pt, result.height_pt);
  const auto turn = [&](Box& box) {
    box = turned_box(box, page.width_pt, page.height_pt, direction);
  };
  for (Word& word : result.words) turn(word.box);
  for (auto* boxes : {&result.rules, &result.images, &result.drawings}) {
    for (Box& box : *boxes) turn(box);
  }
  return result;
}

Box turned_from_upright(const Box& box, const pdf::RawPage& original, int direction) {
  return turned_box(box, original.height_pt, original.width_pt, direction == 90 ? 270 : 90);
}

}  // namespace fineprint::reading
