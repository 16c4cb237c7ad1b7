// The document map: sections of a document, its pages with one sentence each, and its figures and
// tables. Made when a document is indexed, and used to navigate for any question.
// Source: DMAP, section 3.2.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/geometry.h"

namespace fineprint::docmap {

// The longest texts of a map, in code points; longer ones are shortened.
inline constexpr std::size_t kMostTitle = 160;
inline constexpr std::size_t kMostSummary = 300;

// A node of the outline. Sections are in the order in which they begin, parents before children.
struct Section {
  std::string number;  // "3.1", unique in the map
  std::string title;
  int level = 1;           // the number of parts of `number`
  std::vector<int> pages;  // ascending; includes those of its subsections
  std::string parent;      // the parent's number; empty: the document
  bool inferred = false;   // no heading on the page has this title
  bool operator==(const Section&) const = default;
};

// A page of the map.
struct MappedPage {
  int page = 0;                       // from 1
  std::string summary;                // one sentence; empty if the page has no words
  bool blank = false;                 // the page has neither words nor pictures
  std::vector<std::string> sections;  // numbers of its deepest sections; may be empty
  bool operator==(const MappedPage&) const = default;
};

// What kind of element a map names.
enum class MappedKind { figure, table, chart };

// A figure, table or chart.
struct MappedElement {
  std::string id;  // "p7-e1": the first element of page 7
  int page = 0;
  MappedKind kind = MappedKind::figure;
  std::string name;     // "Table 3", as in its caption; empty without a number
  std::string caption;  // the complete caption
  std::string summary;
  Box box;  // in points, with the caption
  bool operator==(const MappedElement&) const = default;
};

// The map of one document.
struct DocumentMap {
  std::string doc;
  std::string hash;   // hash of the mapped content
  std::string model;  // the model that made it; "heuristic": none
  int pages_total = 0;
  std::vector<Section> sections;
  std::vector<MappedPage> pages;  // by number; fewer than pages_total until the map is complete
  std::vector<MappedElement> elements;
  bool operator==(const DocumentMap&) const = default;
};

// Returns whether the map has all pages of its document.
inline bool is_whole(const DocumentMap& map) {
  return map.pages.size() == static_cast<std::size_t>(map.pages_total);
}

// Convert between a kind and its name: "figure", "table", "chart". parse_kind returns nullopt for
// any other name.
const char* kind_name(MappedKind kind);
std::optional<MappedKind> parse_kind(std::string_view name);

// Returns the part of its page that shows an element: its box with a margin of 6 points.
Box cut_out_of(const MappedElement& element);
// Returns the text of an element for vectors: its caption, and its summary if that is not part of
// the caption. If it has neither, returns the name of its kind.
// Source: DMAP, section 3.2.1.
std::string element_text(const MappedElement& element);

// Returns one line:
// {"doc", "hash", "model", "pages_total",
//  "sections": [{"number", "title", "level", "pages", "parent", "inferred"}],
//  "pages": [{"page", "summary", "blank", "sections"}],
//  "elements": [{"id", "page", "kind", "name", "caption", "summary", "box": [x0, y0, x1, y1]}]}.
// Boxes are rounded to hundredths of a point.
std::string to_json(const DocumentMap& map);
// Parses the result of to_json(). Throws Error(input) that begins with `what` if it has another
// form.
DocumentMap parse_map(std::string_view json, std::string_view what);

// Returns the map for people, as lines: the document; its sections, indented by level, with their
// pages; under a section, the pages whose deepest section it is, with summary and elements. A page
// of several sections is listed under the first of them; a page of none, before all sections.
std::vector<std::string> tree_lines(const DocumentMap& map);

}  // namespace fineprint::docmap
