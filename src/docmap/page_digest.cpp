// Reads a page's layout for its map.
#include "docmap/page_digest.h"

#include <algorithm>
#include <string_view>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/page_parts.h"

#include "docmap/captions.h"
#include "docmap/wording.h"

namespace fineprint::docmap {
namespace {

constexpr float kLeastSide = 40;  // points; smaller objects are ornaments
constexpr std::string_view kSentenceEnds[] = {".", "!", "?", "…", "。", "！", "？"};

std::string text_of(const Page& page, const Element& element) {
  std::string text;
  for (const Line& line : text::lines_of(page, element)) text += line_text(page, line) + "\n";
  return text;
}

bool is_object(const Element& element) {
  return element.kind == ElementKind::table || element.kind == ElementKind::figure;
}

// Returns whether the element is a single line that ends no sentence: what a publisher prints on
// every page, a label or a number.
bool is_label(const Page& page, const Element& element) {
  const std::string text = one_line(text_of(page, element));
  const auto ends_with = [&](std::string_view mark) { return text.ends_with(mark); };
  return element.line_count < 2 && std::ranges::none_of(kSentenceEnds, ends_with);
}

// Kinds of elements in the order in which they are tried for a summary. Running text says best what
// a page is about; headings come last, because they are in the outline already.
const std::vector<ElementKind> kSummaryKinds[] = {
    {ElementKind::paragraph},
    {ElementKind::list_item, ElementKind::caption},
    {ElementKind::table, ElementKind::figure, ElementKind::heading}};

std::string first_sentence_of(const Page& page, const std::vector<ElementKind>& kinds,
                              bool with_labels) {
  std::string text;
  for (const Element& element : page.elements) {
    if (std::ranges::count(kinds, element.kind) == 0) continue;
    if (with_labels || !is_label(page, element)) text += text_of(page, element) + "\n";
  }
  return first_sentence(text);
}

std::string summary_of(const Page& page) {
  // Labels are only tried if no page text is more than a label.
  for (const bool with_labels : {false, true}) {
    for (const std::vector<ElementKind>& kinds : kSummaryKinds) {
      std::string sentence = first_sentence_of(page, kinds, with_labels);
      if (!sentence.empty()) return sentence;
    }
  }
  return "";
}

MappedElement mapped(const Page& page, const Element& element, std::size_t number) {
  const bool is_table = element.kind == ElementKind::table;
  CaptionParts parts =
      caption_parts(element.caption, is_table ? MappedKind::table : MappedKind::figure);
  std::string summary = first_sentence(parts.text);
  if (summary.empty() && is_table && element.line_count > 0) {
    summary = shortened(one_line(line_text(page, page.lines[element.first_line])), kMostSummary);
  }
  return {.id = format("p{}-e{}", page.number, number),
          .page = page.number,
          .kind = parts.kind,
          .name = std::move(parts.name),
          .caption = one_line(element.caption),
          .summary = std::move(summary),
          .box = element.box};
}

}  // namespace

PageDigest digest_of(const Page& page) {
  PageDigest digest;
  digest.page = {.page = page.number, .summary = summary_of(page), .blank = true, .sections = {}};
  for (const Element& element : page.elements) {
    if (element.kind == ElementKind::furniture) continue;
    const bool is_heading = element.kind == ElementKind::heading;
    // `blank` is still true for the first element of the page.
    digest.begins_with_heading |= digest.page.blank && is_heading;
    digest.page.blank = false;
    if (is_heading) {
      digest.headings.push_back(
          {one_line(text_of(page, element)), text::largest_size_pt(page, element)});
    }
    const bool is_large = element.box.width() >= kLeastSide && element.box.height() >= kLeastSide;
    if (is_object(element) && is_large) {
      digest.elements.push_back(mapped(page, element, digest.elements.size() + 1));
    }
  }
  return digest;
}

}  // namespace fineprint::docmap
