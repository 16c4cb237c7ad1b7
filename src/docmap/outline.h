// The outline of a document as it grows from page to page, and the rules that no builder may break.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fineprint/docmap/document_map.h"

namespace fineprint::docmap {

// The parts of a number that stands before a heading ("3.1", "3.1.", "2)"); none when it is no such
// number.
std::vector<int> parts_of_number(std::string_view number);

// What a heading says: "3.1 Scope" has the number "3.1" and the title "Scope".
struct Heading {
  std::string number;  // empty: none is printed
  std::string title;
};
Heading heading_of(std::string_view text);

// Sections follow each other as the pages do: one that is opened closes all of its level and
// deeper, and a page belongs to the sections that are open on it.
class Outline {
 public:
  Outline() = default;
  // Goes on from the sections of another outline.
  explicit Outline(const std::vector<Section>& sections);

  // Whether a section of this number can come next: a child of an open section, or the next sibling
  // of one. Up to three headings before it may have been overlooked.
  bool fits(std::string_view number) const;
  // Opens a section on `page` and returns its number: the one given, where it fits; else that of
  // the next sibling at `level`, or of a child where that is too deep. `page` must not be below
  // that of an earlier section.
  std::string open(std::string_view number, int level, std::string_view title, bool inferred,
                   int page);
  // Puts a page into a section and all that hold it. False, and nothing done, when there is no such
  // section, or it begins behind the page, or was closed before it.
  bool assign(std::string_view number, int page);

  // Numbers of the deepest sections that the page is in, as they begin.
  std::vector<std::string> deepest_on(int page) const;
  // The number of the section that was opened last; empty: there is none.
  std::string last() const;
  const std::vector<Section>& sections() const { return sections_; }

 private:
  void push(Section section);
  std::string next_number(int level) const;

  std::vector<Section> sections_;
  std::vector<int> closed_on_;     // of each: the page that a section which closed it begins on; 0
  std::vector<std::size_t> open_;  // places in sections_, from the top level down
  std::unordered_map<std::string, std::size_t> place_of_;
  std::unordered_map<int, std::vector<std::size_t>> on_page_;
};

}  // namespace fineprint::docmap
