// The structural map of a document: its sections, its pages with a sentence each, and its figures
// and tables. Made when a document is indexed, for any question to navigate by.
// Source: DMAP, section 3.2.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/geometry.h"

namespace fineprint::docmap {

// The longest texts of a map, in code points.
inline constexpr std::size_t kMostTitle = 160;
inline constexpr std::size_t kMostSummary = 300;

// A node of the outline; in the order in which they begin, parents before their children.
struct Section {
  std::string number;  // "3.1", unique in the map
  std::string title;
  int level = 1;           // how many parts the number has
  std::vector<int> pages;  // ascending; those of its subsections too
  std::string parent;      // a number; empty: the document
  bool inferred = false;   // no heading says so
  bool operator==(const Section&) const = default;
};

struct MappedPage {
  int page = 0;                       // from 1
  std::string summary;                // a sentence; empty when the page has no words
  bool blank = false;                 // neither words nor pictures
  std::vector<std::string> sections;  // numbers of the deepest ones that it touches; may be empty
  bool operator==(const MappedPage&) const = default;
};

enum class MappedKind { figure, table, chart };

struct MappedElement {
  std::string id;  // "p7-e1": the first of page 7
  int page = 0;
  MappedKind kind = MappedKind::figure;
  std::string name;     // "Table 3", as its caption counts it; empty when it has none
  std::string caption;  // whole
  std::string summary;
  Box box;  // points, with the caption
  bool operator==(const MappedElement&) const = default;
};

struct DocumentMap {
  std::string doc;
  std::string hash;   // of the content that it is a map of
  std::string model;  // who made it; "heuristic": no model
  int pages_total = 0;
  std::vector<Section> sections;
  std::vector<MappedPage> pages;  // by number; fewer than pages_total while the map is made
  std::vector<MappedElement> elements;
  bool operator==(const DocumentMap&) const = default;
};

inline bool is_whole(const DocumentMap& map) {
  return map.pages.size() == static_cast<std::size_t>(map.pages_total);
}

// "figure", "table", "chart".
const char* kind_name(MappedKind kind);
std::optional<MappedKind> parse_kind(std::string_view name);

// What is cut out of its page for an element: its box with a margin of 6 points.
Box cut_out_of(const MappedElement& element);
// What an element says, for vectors: its caption, and its summary where that is not part of the
// caption; of one that has neither, what it is.
// Source: DMAP, section 3.2.1.
std::string element_text(const MappedElement& element);

// One line: {"doc", "hash", "model", "pages_total",
//  "sections": [{"number", "title", "level", "pages", "parent", "inferred"}],
//  "pages": [{"page", "summary", "blank", "sections"}],
//  "elements": [{"id", "page", "kind", "name", "caption", "summary", "box": [x0, y0, x1, y1]}]},
// boxes to a hundredth of a point.
std::string to_json(const DocumentMap& map);
// Throws Error(input) with `what` for anything of another form.
DocumentMap parse_map(std::string_view json, std::string_view what);

// For people, a line each: the document; its sections, each indented by its level and with its
// pages; under a section the pages whose deepest section it is, with summary and elements. A page
// of several sections stands under the first, one of none before all sections.
std::vector<std::string> tree_lines(const DocumentMap& map);

}  // namespace fineprint::docmap
