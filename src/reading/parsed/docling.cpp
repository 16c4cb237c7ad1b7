// Reads DoclingDocument, the JSON of docling.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/unicode.h"

#include "reading/parsed/fields.h"
#include "reading/parsed/parsed_document.h"

namespace fineprint::reading {
namespace {

constexpr std::size_t kLettersAPage = 3000;  // for documents without pages
constexpr int kDeepest = 64;                 // limit for groups within groups

// Where a part of an item is.
struct Place {
  int page = 0;
  Box box;
  std::size_t first = 0, end = 0;  // range of the item's text, in characters
};

ElementKind kind_of_label(std::string_view label, bool is_furniture) {
  if (is_furniture || label == "page_header" || label == "page_footer") {
    return ElementKind::furniture;
  }
  if (label == "title" || label == "section_header") return ElementKind::heading;
  if (label == "list_item") return ElementKind::list_item;
  if (label == "caption") return ElementKind::caption;
  return ElementKind::paragraph;
}

// Returns the characters [first, end) of a text. Counts code points, as docling does.
std::string part_of(std::string_view text, std::size_t first, std::size_t end) {
  std::size_t at = 0, count = 0, begin = text.size();
  for (; at < text.size() && count < end; ++count) {
    if (count == first) begin = at;
    next_code_point(text, &at);
  }
  return begin >= at ? std::string() : std::string(text.substr(begin, at - begin));
}

std::size_t letters_in(const ParsedElement& element) {
  std::size_t letters = 0;
  for (const ParsedText& text : element.texts) letters += text.text.size();
  for (const markup::TableCell& cell : element.cells) letters += cell.text.size();
  return letters;
}

class DoclingReader {
 public:
  explicit DoclingReader(const Json& document) : document_(document) {
    for (const auto& [key, page] : items_of(document, "pages").items()) {
      const Json& size = member(page, "size");
      ParsedPage& parsed = pages_[whole(page, "page_no")];
      parsed.width_pt = number(size, "width", parsed.width_pt);
      parsed.height_pt = number(size, "height", parsed.height_pt);
    }
    tells_pages_ = !pages_.empty();
    // Captions are read with their table or picture, so they are skipped elsewhere.
    for (const char* list : {"pictures", "tables"}) {
      for (const Json& item : items_of(document, list)) {
        for (const Json& caption : items_of(item, "captions")) {
          captions_.insert(text_at(caption, "$ref"));
        }
      }
    }
  }

  ParsedDocument read() {
    for (const char* tree : {"body", "furniture"}) add_children(member(document_, tree), 0);
    ParsedDocument out;
    const std::string version = text_at(document_, "version");
    out.format = version.empty() ? "docling" : "docling " + version;
    out.title = title_;
    out.reflowable = !tells_pages_;
    for (auto& [number, page] : pages_) {
      page.number = number;
      out.pages.push_back(std::move(page));
    }
    return out;
  }

 private:
  // Follows a reference, which is a JSON pointer such as "#/texts/3". Returns null if it leads
  // nowhere.
  const Json& found(const std::string& reference) const {
    if (!reference.starts_with("#/")) return no_json();
    const Json::json_pointer pointer(reference.substr(1));
    return document_.contains(pointer) ? document_.at(pointer) : no_json();
  }

  void add_children(const Json& node, int depth) {
    if (depth > kDeepest) return;
    for (const Json& child : items_of(node, "children")) {
      const std::string reference = text_at(child, "$ref");
      // A tree that contains itself is followed only once.
      if (captions_.contains(reference) || !seen_.insert(reference).second) continue;
      add(reference, depth + 1);
    }
  }

  void add(const std::string& reference, int depth) {
    const Json& item = found(reference);
    if (reference.starts_with("#/texts/")) {
      add_text(item);
    } else if (reference.starts_with("#/tables/")) {
      return add_table(item);
    } else if (reference.starts_with("#/pictures/")) {
      return add_picture(item, depth);
    }
    add_children(item, depth);
  }

  std::vector<Place> places_of(const Json& item) const {
    std::vector<Place> places;
    for (const Json& one : items_of(item, "prov")) {
      Place place;
      place.page = whole(one, "page_no");
      const auto page = pages_.find(place.page);
      if (page == pages_.end()) continue;
      place.box = box_of(member(one, "bbox"), page->second.height_pt);
      const Json& span = items_of(one, "charspan");
      if (span.size() == 2 && span[0].is_number_unsigned() && span[1].is_number_unsigned()) {
        place.first = span[0].get<std::size_t>();
        place.end = span[1].get<std::size_t>();
      }
      places.push_back(place);
    }
    return places;
  }

  static Box box_of(const Json& box, float height) {
    float top = number(box, "t", 0), bottom = number(box, "b", 0);
    // The origin may be the bottom left of the page, as in PDF.
    if (text_at(box, "coord_origin") == "BOTTOMLEFT") {
      top = height - top;
      bottom = height - bottom;
    }
    return {number(box, "l", 0), std::min(top, bottom), number(box, "r", 0), std::max(top, bottom)};
  }

  void add_text(const Json& item) {
    const std::string label = text_at(item, "label");
    ParsedElement element;
    element.kind = kind_of_label(label, text_at(item, "content_layer") == "furniture");
    if (element.kind == ElementKind::heading) {
      // The title has level 1, so section headings begin at level 2.
      element.level = label == "title" ? 1 : 1 + std::max(1, whole(item, "level"));
    }
    std::string text = text_at(item, "text");
    if (label == "title" && title_.empty()) title_ = one_line(text);
    const std::vector<Place> places = places_of(item);
    if (places.size() > 1) return add_parts(element, text, places);
    const std::string marker = text_at(item, "marker");
    if (element.kind == ElementKind::list_item && !marker.empty()) text = marker + " " + text;
    put(std::move(element), {{.text = std::move(text), .box = {}}}, places);
  }

  // Adds a text that continues on the next page or in the next column.
  void add_parts(const ParsedElement& element, const std::string& text,
                 const std::vector<Place>& places) {
    for (const Place& place : places) {
      put(element, {{.text = part_of(text, place.first, place.end), .box = {}}}, {place});
    }
  }

  void put(ParsedElement element, std::vector<ParsedText> texts, const std::vector<Place>& places) {
    element.texts = std::move(texts);
    if (!places.empty()) element.box = places.front().box;
    page_for(places, letters_in(element)).elements.push_back(std::move(element));
  }

  // Returns the page for a text. A text without a place goes to the page of the text before it. If
  // the document has no pages, pages are made of about kLettersAPage letters.
  ParsedPage& page_for(const std::vector<Place>& places, std::size_t letters) {
    if (!places.empty()) {
      page_ = places.front().page;
    } else if (!tells_pages_ && letters_ > 0 && letters_ + letters > kLettersAPage) {
      ++page_;
      letters_ = 0;
    }
    letters_ += letters;
    return pages_[page_];
  }

  std::vector<ParsedText> captions_of(const Json& item) {
    std::vector<ParsedText> captions;
    for (const Json& one : items_of(item, "captions")) {
      const std::string reference = text_at(one, "$ref");
      if (!seen_.insert(reference).second) continue;
      const Json& text = found(reference);
      const std::vector<Place> places = places_of(text);
      captions.push_back({.text = text_at(text, "text"), .box = {}});
      if (!places.empty()) captions.back().box = places.front().box;
    }
    return captions;
  }

  void add_table(const Json& item) {
    ParsedElement element;
    element.kind = ElementKind::table;
    element.captions = captions_of(item);
    const std::vector<Place> places = places_of(item);
    for (const Json& one : items_of(member(item, "data"), "table_cells")) {
      markup::TableCell cell{.text = one_line(text_at(one, "text")),
                             .row = whole(one, "start_row_offset_idx"),
                             .column = whole(one, "start_col_offset_idx"),
                             .rows = std::max(1, whole(one, "row_span")),
                             .columns = std::max(1, whole(one, "col_span"))};
      cell.is_head = member(one, "column_header") == Json(true);
      element.cells.push_back(std::move(cell));
      const Json& box = member(one, "bbox");
      element.cell_boxes.emplace_back();
      if (box.is_object() && !places.empty()) {
        element.cell_boxes.back() = box_of(box, pages_.at(places.front().page).height_pt);
      }
    }
    put(std::move(element), {}, places);
  }

  // Adds a figure with the words in it.
  void add_picture(const Json& item, int depth) {
    ParsedElement element;
    element.kind = ElementKind::figure;
    element.captions = captions_of(item);
    std::vector<ParsedText> texts;
    gather_texts(item, depth, &texts);
    put(std::move(element), std::move(texts), places_of(item));
  }

  void gather_texts(const Json& node, int depth, std::vector<ParsedText>* texts) {
    if (depth > kDeepest) return;
    for (const Json& child : items_of(node, "children")) {
      const std::string reference = text_at(child, "$ref");
      if (!seen_.insert(reference).second) continue;
      const Json& item = found(reference);
      if (reference.starts_with("#/texts/")) {
        const std::vector<Place> places = places_of(item);
        texts->push_back({.text = text_at(item, "text"), .box = {}});
        if (!places.empty()) texts->back().box = places.front().box;
      }
      gather_texts(item, depth + 1, texts);
    }
  }

  const Json& document_;
  std::map<int, ParsedPage> pages_;
  std::set<std::string> captions_, seen_;  // references
  std::string title_;
  bool tells_pages_ = false;
  int page_ = 1;
  std::size_t letters_ = 0;  // of the page that is being filled
};

}  // namespace

ParsedDocument read_docling(const std::string& json, const std::string& name) {
  const Json document = parse_fields(json, name);
  ParsedDocument out = DoclingReader(document).read();
  if (out.pages.empty())
    throw Error(ErrorCode::empty, format("{}: this file contains no text", name));
  return out;
}

}  // namespace fineprint::reading
