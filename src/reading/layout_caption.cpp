// Finds captions ("Figure 3", "Table 2: ...", "Exhibit A") and joins them with what they describe.
#include <algorithm>
#include <array>
#include <cctype>

#include "reading/layout_block.h"

namespace fineprint::reading {
namespace {

constexpr float kNear = 45;  // points between a caption and its object: about three lines
constexpr std::uint32_t kMaxCharacters = 600;  // long captions explain every part of a figure

std::string text_of_block(const pdf::RawPage& page, const Block& block) {
  std::string text;
  for (const Row& row : block.rows) {
    if (!text.empty()) text += ' ';
    text += text_of(page, row.words());
  }
  return text;
}

// Returns whether a block begins with a word of this kind and a number or letter: "Figure 3",
// "Table IV.", "Fig. 2a:".
bool is_caption(const pdf::RawPage& page, const Block& block) {
  if (block.rows.empty() || block.rows[0].figure >= 0) return false;
  const std::vector<std::uint32_t> words = block.rows[0].words();
  if (words.size() < 2) return false;
  static constexpr std::array<std::string_view, 16> kKinds = {
      "Figure",  "FIGURE", "Fig.",  "FIG.",  "Fig",    "Table",   "TABLE", "Exhibit",
      "EXHIBIT", "Chart",  "CHART", "Graph", "Scheme", "Diagram", "Map",   "Plate"};
  if (std::find(kKinds.begin(), kKinds.end(), page.words[words[0]].text) == kKinds.end()) {
    return false;
  }
  const std::string& label = page.words[words[1]].text;
  const auto first = static_cast<unsigned char>(label[0]);
  // "Table IV" and "Exhibit A" are captions, but "Chart Industries" and "Map Room" are names.
  const bool numbered = std::isdigit(first) != 0 || (std::isupper(first) != 0 && label.size() <= 4);
  std::uint32_t characters = 0;
  for (const Row& row : block.rows) characters += row.characters();
  // "Table 3 shows that ..." is text. In a caption, a sign follows the number, or the next word has
  // a capital.
  const char end = label.back();
  const bool closed = end == ':' || end == '.' || end == ')' || end == '-' || words.size() == 2;
  const auto next =
      words.size() > 2 ? static_cast<unsigned char>(page.words[words[2]].text[0]) : 'A';
  return numbered && characters <= kMaxCharacters && (closed || std::islower(next) == 0);
}

// Returns whether the block can get a caption. One that has a caption takes no second one, so that
// of two captions between two figures each goes to its own.
bool is_object(const Block& block) {
  return (block.kind == ElementKind::table || block.kind == ElementKind::figure) &&
         block.caption.empty();
}

// Returns the distance in points between the boxes, or a large number if neither is above the
// other.
float distance(const Block& a, const Block& b) {
  const bool overlaps = a.box.x0 < b.box.x1 && b.box.x0 < a.box.x1;
  if (!overlaps) return 1e9F;
  return std::max({b.box.y0 - a.box.y1, a.box.y0 - b.box.y1, 0.0F});
}

// Joins a caption with its object. Its text becomes part of the object, so that a search for these
// words finds the table.
void join(Block& object, const Block& caption, bool before, std::string text) {
  object.rows.insert(before ? object.rows.begin() : object.rows.end(), caption.rows.begin(),
                     caption.rows.end());
  object.box = united(object.box, caption.box);
  object.caption = std::move(text);
}

}  // namespace

std::vector<Block> attach_captions(const pdf::RawPage& page, std::vector<Block> blocks) {
  std::vector<Block> result;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    const bool is_text = block.kind != ElementKind::table && block.kind != ElementKind::figure;
    if (!is_text || !is_caption(page, block)) {
      result.push_back(std::move(block));
      continue;
    }
    block.kind = ElementKind::caption;
    const bool has_above = !result.empty() && is_object(result.back());
    const bool has_below = i + 1 < blocks.size() && is_object(blocks[i + 1]);
    const float above = has_above ? distance(result.back(), block) : 1e9F;
    const float below = has_below ? distance(block, blocks[i + 1]) : 1e9F;
    std::string text = text_of_block(page, block);
    // At equal distance, the object above wins, because captions are more often below figures than
    // above.
    if (std::min(above, below) > kNear) {
      result.push_back(std::move(block));
    } else if (above <= below) {
      join(result.back(), block, false, std::move(text));
    } else {
      join(blocks[i + 1], block, true, std::move(text));
    }
  }
  return result;
}

}  // namespace fineprint::reading
