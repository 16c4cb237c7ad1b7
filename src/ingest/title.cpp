// Chooses a document's title.
#include "ingest/title.h"

#include <algorithm>
#include <array>

#include "fineprint/core/formats.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/page_parts.h"

namespace fineprint::ingest {

namespace {

// Text that is shorter or longer than this is hardly a title.
constexpr std::size_t kLeastTitleBytes = 4;
constexpr std::size_t kMostTitleBytes = 200;

bool ascii_lower(char c) { return c >= 'a' && c <= 'z'; }
bool ascii_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::size_t letters_in(std::string_view text) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < text.size();) {
    letters += is_letter(next_code_point(text, &at)) ? 1 : 0;
  }
  return letters;
}

bool ends_like_a_file(const std::string& folded) {
  // Files of programs for page layout and drawing, which are not documents themselves.
  static constexpr std::array kEndings = {".indd", ".qxd", ".ai", ".eps", ".dvi", ".fm"};
  const auto ends_with = [&](std::string_view ending) { return folded.ends_with(ending); };
  const auto ends_like = [&](const FileFormat& format) {
    return format.in_titles && ends_with("." + std::string(format.kind()));
  };
  return std::ranges::any_of(kEndings, ends_with) || std::ranges::any_of(file_formats(), ends_like);
}

bool is_filler(const std::string& folded) {
  // Titles that programs write when nobody gave one.
  static constexpr std::array kBeginnings = {
      "microsoft word - ", "microsoft powerpoint - ", "untitled", "(anonymous)", "slide 1",
      "document1",         "powerpoint presentation", "no title", "title"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](std::string_view beginning) {
    const bool is_prefix = beginning.ends_with("- ");
    return is_prefix ? folded.starts_with(beginning) : folded == beginning;
  });
}

bool fits_a_title(std::string_view text) {
  return text.size() >= kLeastTitleBytes && text.size() <= kMostTitleBytes && letters_in(text) >= 3;
}

// Returns the first heading of the highest level on the page.
std::string largest_heading(const Page& page) {
  std::string best;
  int best_level = 256;
  for (const Element& element : page.elements) {
    // A later heading of the same level does not replace an earlier one.
    if (element.kind != ElementKind::heading || element.level >= best_level) continue;
    std::string text = one_line(text::element_text(page, element));
    if (!fits_a_title(text)) continue;
    best = std::move(text);
    best_level = element.level;
  }
  return best;
}

}  // namespace

bool looks_like_title(std::string_view title) {
  const std::string clean = one_line(title);
  const std::string folded = fold(clean);
  // A title without a blank is more often a code.
  return fits_a_title(clean) && clean.find(' ') != std::string::npos && !ends_like_a_file(folded) &&
         !is_filler(folded);
}

std::string readable_name(std::string_view doc) {
  std::string_view name = doc.substr(doc.find_last_of('/') + 1);
  if (const auto dot = name.find_last_of('.'); dot != std::string_view::npos && dot > 0) {
    name = name.substr(0, dot);
  }
  std::string out;
  for (const char c : name) {
    // Splits names such as "AnnualReport" into words.
    if (ascii_upper(c) && !out.empty() && ascii_lower(out.back())) out += ' ';
    out += c == '_' || c == '-' || c == '.' ? ' ' : c;
  }
  out = one_line(out);
  return out.empty() ? std::string(name) : out;
}

std::string document_title(const DocumentInfo& info, const std::vector<Page>& pages,
                           std::string_view doc) {
  // The metadata comes first, because it is a title if it looks like one; a heading may be that of
  // a chapter.
  if (looks_like_title(info.title)) return one_line(info.title);
  if (!pages.empty()) {
    if (std::string heading = largest_heading(pages.front()); !heading.empty()) return heading;
  }
  return readable_name(doc);
}

}  // namespace fineprint::ingest
