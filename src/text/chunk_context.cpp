// Builds the context of chunks: the title and the headings above them.
#include "text/chunk_context.h"

#include <algorithm>

#include "fineprint/core/unicode.h"
#include "fineprint/text/page_parts.h"
#include "fineprint/text/stated_grid.h"

namespace fineprint::text {
namespace {

// Font sizes of one style differ a little between pages, or if they come from OCR.
constexpr float kSameSize = 1.05f;

// Adds a part unless an equal one (after folding) is there: titles often repeat as the first
// heading.
void add_part(const std::string& text, std::vector<std::string>* parts) {
  const std::string part = one_line(text);
  if (part.empty()) return;
  const std::string folded = fold(part);
  const bool is_known = std::any_of(parts->begin(), parts->end(), [&](const std::string& other) {
    return fold(other) == folded;
  });
  if (!is_known) parts->push_back(part);
}

}  // namespace

std::string cut_to(const std::string& text, const tokenizer::Tokenizer& tokenizer,
                   std::size_t max_tokens) {
  if (tokenizer.count(text) <= max_tokens) return text;
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at + 1), text.size());
    used += tokenizer.count(std::string_view(text).substr(at, end - at));
    if (used > max_tokens) break;
    out.append(text, at, end - at);
    at = end;
  }
  return out;
}

HeadingTrail::HeadingTrail(const DocumentInfo& info, std::string title)
    : info_(info), title_(std::move(title)) {}

void HeadingTrail::push(Heading heading) {
  // Sizes decide if both are known, because the levels of headings count only within one page.
  const auto is_below = [&](const Heading& open) {
    const bool sizes_known = open.size_pt > 0 && heading.size_pt > 0;
    return sizes_known ? open.size_pt < heading.size_pt * kSameSize : open.level >= heading.level;
  };
  while (!open_.empty() && is_below(open_.back())) open_.pop_back();
  open_.push_back(std::move(heading));
}

// Returns the titles of the outline entries that lead to a page: the first entry that starts on it,
// with the entries directly below it, or else the last entry that starts before it.
std::vector<std::string> HeadingTrail::outline_path(int page) const {
  const std::vector<OutlineEntry>& entries = info_.outline;
  std::ptrdiff_t last = -1;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].page <= 0 || entries[i].page > page) continue;
    const auto here = static_cast<std::ptrdiff_t>(i);
    if (entries[i].page < page || last < 0 || entries[last].page < page) {
      last = here;
    } else if (here == last + 1 && entries[i].level > entries[last].level) {
      last = here;
    }
  }
  // Goes back to the nearest entry of each smaller level.
  std::vector<std::string> path;
  int level = last < 0 ? 0 : entries[last].level + 1;
  for (; last >= 0 && level > 1; --last) {
    if (entries[last].level >= level) continue;
    level = entries[last].level;
    path.push_back(entries[last].title);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

void HeadingTrail::enter_page(const Page& page) {
  outline_ = outline_path(page.number);
  trails_.assign(page.elements.size(), {});
  // Element indexes are valid only on their own page.
  for (Heading& heading : open_) heading.element = -1;
  for (std::size_t i = 0; i < page.elements.size(); ++i) {
    const Element& element = page.elements[i];
    if (element.kind == ElementKind::heading) {
      push({element_text(page, element), largest_size_pt(page, element), element.level,
            static_cast<std::ptrdiff_t>(i)});
    }
    // The page's own tree of headings is more reliable than a comparison of sizes.
    for (const Heading& open : open_) {
      const bool is_self = open.element == static_cast<std::ptrdiff_t>(i);
      const bool is_denied = open.element >= 0 && element.parent < 0;
      // An element without a parent is below no heading of its own page.
      if (!is_self && !is_denied) trails_[i].push_back(open.text);
    }
  }
}

std::vector<std::string> HeadingTrail::above(std::size_t element) const {
  std::vector<std::string> parts;
  add_part(title_, &parts);
  for (const std::string& part : outline_) add_part(part, &parts);
  if (element >= trails_.size()) return parts;
  for (const std::string& part : trails_[element]) add_part(part, &parts);
  return parts;
}

std::string context_line(const std::vector<std::string>& parts,
                         const tokenizer::Tokenizer& tokenizer, std::size_t max_tokens) {
  std::vector<std::string> kept(parts.size());
  std::size_t left = max_tokens;
  const auto keep = [&](std::size_t i, std::size_t at_most) {
    const std::size_t separator = left == max_tokens ? 0 : 1;  // " > " is one token
    if (!kept[i].empty() || std::min(left, at_most) <= separator) return;
    kept[i] = cut_to(parts[i], tokenizer, std::min(left, at_most) - separator);
    if (!kept[i].empty()) left -= tokenizer.count(kept[i]) + separator;
  };
  // Keeps a third of the room for the title, whatever the length of the innermost heading.
  if (parts.size() > 1) keep(parts.size() - 1, max_tokens - max_tokens / 3);
  if (!parts.empty()) keep(0, left);
  for (std::size_t i = parts.size(); i-- > 0;) keep(i, left);
  std::string out;
  for (const std::string& part : kept) {
    if (part.empty()) continue;
    if (!out.empty()) out += " > ";
    out += part;
  }
  return out;
}

std::string table_context(const Page& page, const Element& table,
                          const tokenizer::Tokenizer& tokenizer, std::size_t max_tokens) {
  std::vector<std::string> parts;
  add_part(table.caption, &parts);
  const StatedGrid grid = stated_grid(table);
  const std::span<const Line> rows = lines_of(page, table);
  if (grid.head_rows > 0) {
    add_part(all_heads(page, grid), &parts);
  } else if (!rows.empty()) {
    add_part(line_text(page, rows.front()), &parts);
  }
  std::string text;
  for (const std::string& part : parts) text += text.empty() ? part : " | " + part;
  return cut_to(text, tokenizer, max_tokens);
}

}  // namespace fineprint::text
