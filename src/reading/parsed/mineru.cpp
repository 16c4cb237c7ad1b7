// Reads middle.json and content_list.json of MinerU.
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "reading/parsed/fields.h"
#include "reading/parsed/parsed_document.h"

namespace fineprint::reading {
namespace {

constexpr int kMostNested = 8;      // limit for blocks within blocks
constexpr float kListUnits = 1000;  // content_list.json gives boxes in thousandths of the page

std::optional<Box> box_at(const Json& object, float across = 1, float down = 1) {
  const Json& box = items_of(object, "bbox");
  // A malformed box is no reason to lose a text: without one it is placed like its neighbours.
  if (box.size() != 4 || !box.is_array()) return std::nullopt;
  float sides[4];
  for (std::size_t i = 0; i < 4; ++i) {
    if (!box[i].is_number()) return std::nullopt;
    sides[i] = box[i].get<float>() * (i % 2 == 0 ? across : down);
  }
  // Ordered, so that no box has a negative size, whatever the order of the corners.
  return Box{std::min(sides[0], sides[2]), std::min(sides[1], sides[3]),
             std::max(sides[0], sides[2]), std::max(sides[1], sides[3])};
}

// Returns whether a block is such a part of its parent. For example, "image_caption" is the caption
// of an "image".
bool is_part(std::string_view type, std::string_view part) { return type.ends_with(part); }

bool is_pictured(std::string_view type) {
  return type == "image" || type == "chart" || type == "figure";
}

void set_level(ParsedElement* element, int level) {
  element->kind = ElementKind::heading;
  element->level = std::max(1, level);
}

void set_cells(ParsedElement* element, std::vector<markup::TableCell> cells) {
  element->kind = ElementKind::table;
  // Only the first table of a block counts.
  if (element->cells.empty()) element->cells = std::move(cells);
}

ParsedDocument as_document(std::map<int, ParsedPage> pages, const std::string& name) {
  ParsedDocument out;
  out.format = "MinerU";
  for (auto& [number, page] : pages) {
    page.number = number;
    out.pages.push_back(std::move(page));
  }
  // A file without pages is reported, because an empty document would look like one that was read.
  if (out.pages.empty()) throw Error(ErrorCode::empty, format("{}: this file has no pages", name));
  return out;
}

// --- middle.json: pages of blocks of lines of spans, in points

class BlockReader {
 public:
  explicit BlockReader(ParsedPage* page) : page_(page) {}

  void add(const Json& block, bool is_discarded) {
    const std::string type = text_at(block, "type");
    ParsedElement element;
    element.box = box_at(block);
    // MinerU discards headers, footers and page numbers from the text.
    if (is_discarded) {
      element.kind = ElementKind::furniture;
    } else if (type == "title") {
      set_level(&element, whole(block, "level"));
    } else if (type == "list" || type == "index") {
      return add_items(block);
    } else if (type == "table") {
      element.kind = ElementKind::table;
    } else if (is_pictured(type)) {
      element.kind = ElementKind::figure;
    }
    std::vector<ParsedElement> notes;
    take(block, &element, &notes, 0);
    page_->elements.push_back(std::move(element));
    for (ParsedElement& note : notes) page_->elements.push_back(std::move(note));
  }

 private:
  // Takes the lines of a block and of the blocks inside it, according to which part of it each is.
  void take(const Json& block, ParsedElement* element, std::vector<ParsedElement>* notes,
            int depth) {
    // Recursion is limited, because the file may have been made by anyone.
    if (depth > kMostNested) return;
    take_lines(block, element, &element->texts);
    for (const Json& part : items_of(block, "blocks")) {
      const std::string type = text_at(part, "type");
      if (is_part(type, "_caption")) {
        take_lines(part, element, &element->captions);
      } else if (is_part(type, "_footnote")) {
        // Footnotes become paragraphs after the table or figure, so that their text is found too.
        ParsedElement& note = notes->emplace_back();
        note.box = box_at(part);
        take_lines(part, &note, &note.texts);
      } else {
        take(part, element, notes, depth + 1);
      }
    }
  }

  static void take_lines(const Json& block, ParsedElement* element,
                         std::vector<ParsedText>* texts) {
    for (const Json& line : items_of(block, "lines")) {
      std::string text;
      for (const Json& span : items_of(line, "spans")) {
        const std::string html = text_at(span, "html");
        if (!html.empty()) set_cells(element, markup::read_html_table(html));
        const std::string content = text_at(span, "content");
        if (!content.empty()) text += (text.empty() ? "" : " ") + content;
      }
      if (!text.empty()) texts->push_back({.text = std::move(text), .box = box_at(line)});
    }
  }

  // Adds an element for each inner block, or for each line that begins an item.
  void add_items(const Json& block) {
    for (const Json& part : items_of(block, "blocks")) {
      ParsedElement& item = page_->elements.emplace_back();
      item.kind = ElementKind::list_item;
      item.box = box_at(part);
      take_lines(part, &item, &item.texts);
    }
    ParsedElement* item = nullptr;
    for (const Json& line : items_of(block, "lines")) {
      const bool begins = member(line, "is_list_start_line") == Json(true);
      if (item == nullptr || begins) {
        item = &page_->elements.emplace_back();
        item->kind = ElementKind::list_item;
      }
      // take_lines() reads a block, so the line is wrapped in one.
      const Json one = {{"lines", Json::array({line})}};
      take_lines(one, item, &item->texts);
    }
  }

  ParsedPage* page_;
};

// --- content_list.json: a flat list of elements with their pages

void add_texts(const Json& item, const char* key, std::vector<ParsedText>* texts) {
  const Json& found = member(item, key);
  if (found.is_string()) texts->push_back({.text = found.get<std::string>(), .box = {}});
  for (const Json& one : items_of(item, key)) {
    if (one.is_string()) texts->push_back({.text = one.get<std::string>(), .box = {}});
  }
  std::erase_if(*texts, [](const ParsedText& text) { return text.text.empty(); });
}

void add_notes(const Json& item, const char* key, ParsedPage* page) {
  ParsedElement note;
  add_texts(item, key, &note.texts);
  if (!note.texts.empty()) page->elements.push_back(std::move(note));
}

void add_list(const Json& item, ParsedPage* page) {
  std::vector<ParsedText> texts;
  add_texts(item, "list_items", &texts);
  for (ParsedText& text : texts) {
    ParsedElement& element = page->elements.emplace_back();
    element.kind = ElementKind::list_item;
    element.texts.push_back(std::move(text));
  }
}

void add_listed(const Json& item, ParsedPage* page) {
  const std::string type = text_at(item, "type");
  if (type == "list" && member(item, "list_items").is_array()) return add_list(item, page);
  ParsedElement element;
  element.box = box_at(item, page->width_pt / kListUnits, page->height_pt / kListUnits);
  if (type == "table") {
    element.kind = ElementKind::table;
    element.cells = markup::read_html_table(text_at(item, "table_body"));
    add_texts(item, "table_caption", &element.captions);
  } else if (is_pictured(type)) {
    element.kind = ElementKind::figure;
    // Versions of MinerU differ in the names of these keys.
    for (const char* key : {"image_caption", "img_caption", "chart_caption"}) {
      add_texts(item, key, &element.captions);
    }
    add_texts(item, "content", &element.texts);
  } else {
    add_texts(item, type == "code" ? "code_body" : "text", &element.texts);
    if (type == "header" || type == "footer" || type == "page_number" || type == "aside_text") {
      element.kind = ElementKind::furniture;
    } else if (whole(item, "text_level") > 0) {
      set_level(&element, whole(item, "text_level"));
    }
  }
  page->elements.push_back(std::move(element));
  for (const char* key : {"table_footnote", "image_footnote", "img_footnote"}) {
    add_notes(item, key, page);
  }
}

}  // namespace

ParsedDocument read_mineru_pages(const std::string& json, const std::string& name) {
  // Pages are kept by number, because several entries may be about one page.
  const Json document = parse_fields(json, name);
  std::map<int, ParsedPage> pages;
  for (const Json& one : items_of(document, "pdf_info")) {
    ParsedPage& page = pages[whole(one, "page_idx") + 1];
    const Json& size = items_of(one, "page_size");
    if (size.size() == 2 && size.is_array() && size[0].is_number() && size[1].is_number()) {
      page.width_pt = size[0].get<float>();
      page.height_pt = size[1].get<float>();
    }
    BlockReader reader(&page);
    for (const Json& block : items_of(one, "para_blocks")) reader.add(block, false);
    for (const Json& block : items_of(one, "discarded_blocks")) reader.add(block, true);
  }
  return as_document(std::move(pages), name);
}

ParsedDocument read_mineru_list(const std::string& json, const std::string& name) {
  const Json items = parse_fields(json, name);
  std::map<int, ParsedPage> pages;
  for (const Json& item : items) {
    if (item.is_object()) add_listed(item, &pages[whole(item, "page_idx") + 1]);
  }
  return as_document(std::move(pages), name);
}

}  // namespace fineprint::reading
