// Finds short lines in the margins that are apart from the text.
#include "reading/layout_furniture.h"

#include <algorithm>
#include <cctype>

namespace fineprint::reading {
namespace {

constexpr float kTopMargin = 0.075F;  // of the page's height
constexpr float kBottomMargin = 0.925F;
constexpr float kSideMargin = 0.07F;                 // of the width; only for turned text
constexpr std::uint32_t kMaxMarginCharacters = 110;  // of one row in a margin
constexpr float kLarger = 1.15F;  // times the text's size: a title and not a running head
// of the size; white around a page number that is alone, wherever it is
constexpr float kFarApart = 1.4F;
constexpr float kApart = 1.6F;  // of the size; white between margin and text

// Returns whether the text is a page number: "12", "- 12 -", "Page 12 of 80", "F-3", "xii". A
// number with a currency sign, a percent sign or brackets is a value. A table that reaches the
// bottom of the page must not lose its last one.
bool is_page_number(std::string_view text) {
  if (text.empty() || text.size() > 16) return false;
  if (text.find_first_of("$%,()") != std::string_view::npos) return false;
  std::size_t digits = 0, letters = 0, roman = 0;
  for (const char c : text) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    digits += c >= '0' && c <= '9';
    letters += lower >= 'a' && lower <= 'z';
    roman += lower == 'i' || lower == 'v' || lower == 'x' || lower == 'l';
  }
  if (digits > 0) return letters <= 1 || text.starts_with("Page") || text.starts_with("page");
  return letters > 0 && roman == letters && letters <= 6;
}

// The top or bottom margin of a page.
class Margin {
 public:
  Margin(const pdf::RawPage& page, const std::vector<Fragment>& fragments, float body_pt, bool top)
      : page_(page), fragments_(fragments), body_pt_(body_pt), top_(top) {}

  // Returns the fragments of the margin, from the page's edge inwards, as long as they look like
  // furniture.
  std::vector<std::uint32_t> find(const std::vector<bool>& taken) const {
    std::vector<std::uint32_t> margin;
    const std::int64_t lone_number = find_lone_number(taken);
    // The margins of a document of one page repeat nothing: a letterhead, a bank account.
    if (page_.is_only) {
      if (lone_number >= 0) margin.push_back(static_cast<std::uint32_t>(lone_number));
      return margin;
    }
    float text_edge = top_ ? page_.height_pt : 0;  // where the text begins
    for (std::uint32_t i = 0; i < fragments_.size(); ++i) {
      if (taken[i] || fragments_[i].vertical) continue;
      if (lies_in_margin(fragments_[i].box) || static_cast<std::int64_t>(i) == lone_number) {
        margin.push_back(i);
      } else {
        text_edge = top_ ? std::min(text_edge, fragments_[i].box.y0)
                         : std::max(text_edge, fragments_[i].box.y1);
      }
    }
    std::stable_sort(margin.begin(), margin.end(), [&](std::uint32_t a, std::uint32_t b) {
      return top_ ? fragments_[a].box.y0 < fragments_[b].box.y0
                  : fragments_[a].box.y1 > fragments_[b].box.y1;
    });
    return keep_clear(margin, text_edge);
  }

 private:
  // Returns the outermost fragment of the page if it is a page number with white around it, and -1
  // if not. It may be far from the edge, because pages made from HTML end where their text does.
  std::int64_t find_lone_number(const std::vector<bool>& taken) const {
    std::int64_t outer = -1;
    const auto depth = [&](std::int64_t i) {  // larger means nearer to the page's edge
      const Box& box = fragments_[static_cast<std::size_t>(i)].box;
      return top_ ? -box.y0 : box.y1;
    };
    const auto count = static_cast<std::int64_t>(fragments_.size());
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (taken[at] || fragments_[at].vertical) continue;
      if (outer < 0 || depth(i) > depth(outer)) outer = i;
    }
    if (outer < 0) return -1;
    const Fragment& number = fragments_[static_cast<std::size_t>(outer)];
    if (number.words.size() > 4 || !is_page_number(text_of(page_, number.words))) return -1;
    const float white = kFarApart * number.size_pt;
    for (std::int64_t i = 0; i < count; ++i) {
      const Box& box = fragments_[static_cast<std::size_t>(i)].box;
      if (i == outer || fragments_[static_cast<std::size_t>(i)].vertical) continue;
      if (box.y1 > number.box.y0 - white && box.y0 < number.box.y1 + white) return -1;
    }
    return outer;
  }

  bool lies_in_margin(const Box& box) const {
    return top_ ? box.y1 <= kTopMargin * page_.height_pt
                : box.y0 >= kBottomMargin * page_.height_pt;
  }

  // A margin ends at the first fragment that cannot be furniture. The fragments outside it are kept
  // up to the last one that has white on its inner side or is a page number. So two lines of a
  // running head stay together, and the first line of text is left alone if it happens to be in the
  // margin.
  std::vector<std::uint32_t> keep_clear(const std::vector<std::uint32_t>& margin,
                                        float text_edge) const {
    std::uint32_t characters = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < margin.size(); ++i) {
      const Fragment& fragment = fragments_[margin[i]];
      const bool number = is_page_number(text_of(page_, fragment.words));
      characters += fragment.characters;
      if (characters > 2 * kMaxMarginCharacters || fragment.characters > kMaxMarginCharacters)
        break;
      if (!number && fragment.size_pt > kLarger * body_pt_) break;
      const float inner = i + 1 < margin.size() ? edge(fragments_[margin[i + 1]].box) : text_edge;
      const float gap = top_ ? inner - fragment.box.y1 : fragment.box.y0 - inner;
      if (number || gap >= kApart * fragment.size_pt) kept = i + 1;
    }
    return {margin.begin(), margin.begin() + static_cast<std::ptrdiff_t>(kept)};
  }

  float edge(const Box& box) const { return top_ ? box.y0 : box.y1; }

  const pdf::RawPage& page_;
  const std::vector<Fragment>& fragments_;
  float body_pt_;
  bool top_;
};

}  // namespace

Furniture find_furniture(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                         float body_pt, std::vector<bool>& taken) {
  Furniture furniture;
  furniture.top = Margin(page, fragments, body_pt, true).find(taken);
  for (const std::uint32_t i : furniture.top) taken[i] = true;
  furniture.bottom = Margin(page, fragments, body_pt, false).find(taken);
  const std::size_t found = furniture.top.size() + furniture.bottom.size();
  if (found == fragments.size()) {  // a page of nothing else: this is its text
    for (const std::uint32_t i : furniture.top) taken[i] = false;
    return {};
  }
  for (std::uint32_t i = 0; i < fragments.size(); ++i) {
    const Fragment& fragment = fragments[i];
    if (taken[i] || !fragment.vertical) continue;
    const float x = fragment.middle_x() / std::max(page.width_pt, 1.0F);
    if (x < kSideMargin || x > 1 - kSideMargin) furniture.side.push_back(i);
  }
  for (const auto* part : {&furniture.bottom, &furniture.side}) {
    for (const std::uint32_t i : *part) taken[i] = true;
  }
  return furniture;
}

}  // namespace fineprint::reading
