// The outline of a document as it grows page by page, and the rules that every builder must keep.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {

// Returns the parts of a number that precedes a heading ("3.1", "3.1.", "2)"), or nothing if it is
// not such a number.
std::vector<int> parts_of_number(std::string_view number);

// A heading, split: "3.1 Scope" has the number "3.1" and the title "Scope".
struct Heading {
  std::string number;  // empty if none is printed
  std::string title;
};
Heading heading_of(std::string_view text);

// Sections follow each other like the pages: opening one closes all sections of its level and
// deeper, and a page belongs to the sections that are open on it.
class Outline {
 public:
  Outline() = default;
  // Continues with the sections of another outline.
  explicit Outline(const std::vector<Section>& sections);

  // Returns whether a section of this number can come next: a child of an open section, or the next
  // sibling of one. Up to three headings before it may have been overlooked.
  bool fits(std::string_view number) const;
  // Opens a section on `page` and returns its number: the given one if it fits, otherwise that of
  // the next sibling at `level`, or of a child if `level` is too deep. `page` must not be below
  // that of an earlier section.
  std::string open(std::string_view number, int level, std::string_view title, bool inferred,
                   int page);
  // Puts a page into a section and all its parents. Returns false, and does nothing, if there is no
  // such section, if it begins after the page, or if it was closed before it.
  bool assign(std::string_view number, int page);

  // Returns the numbers of the deepest sections that the page is in, in the order in which they
  // begin.
  std::vector<std::string> deepest_on(int page) const;
  // Returns the number of the section that was opened last, or an empty string if there is none.
  std::string last() const;
  const std::vector<Section>& sections() const { return sections_; }

 private:
  void push(Section section);
  std::string next_number(int level) const;

  std::vector<Section> sections_;
  std::vector<int> closed_on_;     // of each section: the page that closed it; 0: open
  std::vector<std::size_t> open_;  // indices in sections_, from the top level down
  std::unordered_map<std::string, std::size_t> place_of_;
  std::unordered_map<int, std::vector<std::size_t>> on_page_;
};

}  // namespace fineprint::docmap
