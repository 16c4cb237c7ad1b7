// Writes document maps as indented lines.
#include <map>

#include "fineprint/core/format.h"
#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {
namespace {

// Returns "page 3", "pages 1-3, 7".
std::string page_list(const std::vector<int>& pages) {
  std::string out = pages.size() == 1 ? "page" : "pages";
  for (std::size_t i = 0; i < pages.size();) {
    std::size_t end = i + 1;
    // Runs are joined, because a section usually has many consecutive pages.
    while (end < pages.size() && pages[end] == pages[end - 1] + 1) ++end;
    out += format("{} {}", i == 0 ? "" : ",", pages[i]);
    if (end > i + 1) out += format("-{}", pages[end - 1]);
    i = end;
  }
  return out;
}

std::string indent(int level) { return std::string(static_cast<std::size_t>(level) * 2, ' '); }

class Tree {
 public:
  explicit Tree(const DocumentMap& map) : map_(map) {
    for (const MappedPage& page : map.pages) {
      // A page is listed once, under its first section, even if it touches several.
      pages_of_[page.sections.empty() ? "" : page.sections.front()].push_back(&page);
    }
    for (const MappedElement& element : map.elements)
      elements_of_[element.page].push_back(&element);
  }

  std::vector<std::string> lines() {
    lines_ = {format("{}: {} pages, {} sections, {} figures and tables ({}){}", map_.doc,
                     map_.pages_total, map_.sections.size(), map_.elements.size(), map_.model,
                     so_far())};
    // First the pages of no section, for example a cover, which usually come before all sections.
    add_pages_of("", 1);
    for (const Section& section : map_.sections) {
      lines_.push_back(format("{}{} {}{} ({})", indent(section.level), section.number,
                              section.title, section.inferred ? " [inferred]" : "",
                              page_list(section.pages)));
      add_pages_of(section.number, section.level + 1);
    }
    return std::move(lines_);
  }

 private:
  std::string so_far() const {
    const auto pages = static_cast<int>(map_.pages.size());
    // A map that a model has made in part is shown too, and must not look complete.
    return pages == map_.pages_total ? "" : format(", {} pages of it so far", pages);
  }

  void add_pages_of(const std::string& section, int level) {
    for (const MappedPage* page : pages_of_[section]) {
      const std::string said = page->blank ? "blank" : page->summary;
      lines_.push_back(
          format("{}page {}{}{}", indent(level), page->page, said.empty() ? "" : ": ", said));
      for (const MappedElement* element : elements_of_[page->page]) add(*element, level + 1);
    }
  }

  void add(const MappedElement& element, int level) {
    const std::string name = element.name.empty() ? kind_name(element.kind) : element.name;
    lines_.push_back(format("{}{}{}{}", indent(level), name, element.summary.empty() ? "" : ": ",
                            element.summary));
  }

  const DocumentMap& map_;
  std::map<std::string, std::vector<const MappedPage*>> pages_of_;
  std::map<int, std::vector<const MappedElement*>> elements_of_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> tree_lines(const DocumentMap& map) { return Tree(map).lines(); }

}  // namespace fineprint::docmap
