// Parses replies, and corrects what cannot be true before it enters the outline.
#include "docmap/page_reply.h"

#include <algorithm>
#include <map>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/unicode.h"

#include "docmap/captions.h"
#include "docmap/wording.h"

namespace fineprint::docmap {
namespace {

constexpr std::size_t kMostOutlineLines = 200, kLastOutlineLines = 100;
constexpr std::size_t kMostName = 80;

// Returns whether a title may be on the page. Of a page without words nothing is known. Only
// letters and digits count, because headings are broken and spaced as the page has room.
bool may_be_printed(const std::string& title, const Page& page) {
  return page.words.empty() ||
         folded_letters(page_text(page)).find(folded_letters(title)) != std::string::npos;
}

// Opens the named sections. Returns the numbers that the outline gave them, by the numbers that the
// model used.
std::map<std::string, std::string> open_sections(const Json& list, const Page& page,
                                                 Outline* outline) {
  std::map<std::string, std::string> given;
  for (const Json& said : list) {
    const auto number = said.at("number").get<std::string>();
    const std::string title = heading_of(said.at("title").get<std::string>()).title;
    if (title.empty()) continue;
    const bool inferred = said.at("inferred").get<bool>() || !may_be_printed(title, page);
    const auto level = static_cast<int>(parts_of_number(number).size());
    given[number] = outline->open(number, level, title, inferred, page.number);
  }
  return given;
}

bool is_like(const MappedElement& element, MappedKind kind) {
  return (element.kind == MappedKind::table) == (kind == MappedKind::table);
}

// Finds the elements that the model means, each once.
class Meant {
 public:
  Meant(const Page& page, std::vector<MappedElement>* elements)
      : page_(page), elements_(*elements), taken_(elements->size(), false) {}

  // Returns the element of this name, otherwise the first nameless one of a similar kind, otherwise
  // a new one.
  MappedElement& find(const std::string& name, MappedKind kind) {
    for (const bool by_name : {true, false}) {
      for (std::size_t i = 0; i < elements_.size(); ++i) {
        const MappedElement& element = elements_[i];
        const bool fits = by_name ? !name.empty() && fold(element.name) == fold(name)
                                  : element.name.empty() && is_like(element, kind);
        if (!fits || taken_[i]) continue;
        taken_[i] = true;
        return elements_[i];
      }
    }
    return add();
  }

 private:
  // Adds an element that the layout did not find. Its place is unknown, so its box is the entire
  // page.
  MappedElement& add() {
    MappedElement element;
    element.id = format("p{}-e{}", page_.number, elements_.size() + 1);
    element.page = page_.number;
    element.box = {0, 0, page_.width_pt, page_.height_pt};
    taken_.push_back(true);
    return elements_.emplace_back(std::move(element));
  }

  const Page& page_;
  std::vector<MappedElement>& elements_;
  std::vector<bool> taken_;
};

void take_elements(const Json& list, const Page& page, std::vector<MappedElement>* elements) {
  Meant meant(page, elements);
  for (const Json& said : list) {
    const MappedKind kind =
        parse_kind(said.at("kind").get<std::string>()).value_or(MappedKind::figure);
    const auto words = said.at("name").get<std::string>();
    std::string name = caption_parts(words, kind).name;
    if (name.empty()) name = shortened(one_line(words), kMostName);
    MappedElement& element = meant.find(name, kind);
    element.kind = kind;
    if (element.name.empty()) element.name = name;
    element.summary = shortened(one_line(said.at("description").get<std::string>()), kMostSummary);
  }
}

bool assign_all(int page, const std::vector<std::string>& numbers, Outline* outline) {
  bool assigned = false;
  for (const std::string& number : numbers) assigned |= outline->assign(number, page);
  return assigned;
}

}  // namespace

std::string outline_text(const std::vector<Section>& sections) {
  std::string text;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    const bool is_late = i + kLastOutlineLines >= sections.size();
    if (sections.size() > kMostOutlineLines && section.level > 1 && !is_late) continue;
    text += format("{} {} (pages {} to {})\n", section.number, section.title, section.pages.front(),
                   section.pages.back());
  }
  return text;
}

void assign_page(int page, const std::vector<std::string>& wanted,
                 const std::vector<std::string>& before, Outline* outline) {
  if (assign_all(page, wanted, outline) || assign_all(page, before, outline)) return;
  outline->assign(outline->last(), page);
}

void take_reply(std::string_view reply, const Page& page, const std::vector<std::string>& before,
                bool names_none, PageDigest* digest, Outline* outline) {
  const Json said = parse_json(reply, "a reply");
  std::map<std::string, std::string> given;
  if (!names_none) given = open_sections(said.at("new_sections"), page, outline);
  std::vector<std::string> wanted;
  for (const Json& number : said.at("page_sections")) {
    const auto named = number.get<std::string>();
    wanted.push_back(given.contains(named) ? given.at(named) : named);
  }
  assign_page(page.number, wanted, before, outline);
  const std::string summary = one_line(said.at("summary").get<std::string>());
  if (!summary.empty()) digest->page.summary = shortened(summary, kMostSummary);
  take_elements(said.at("elements"), page, &digest->elements);
}

}  // namespace fineprint::docmap
