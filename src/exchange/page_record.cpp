// Describes a page as a record.
#include "fineprint/exchange/page_record.h"

#include "fineprint/core/json.h"
#include "fineprint/evidence/page_markdown.h"

#include "exchange/vector_text.h"

namespace fineprint::exchange {
namespace {

const char* source_name(TextSource source) {
  switch (source) {
    case TextSource::native:
      return "native";
    case TextSource::ocr:
      return "ocr";
    case TextSource::none:
      break;
  }
  return "none";
}

// Lines stay apart, because the rows of a table are lines.
std::string text_of(const Page& page, const Element& element) {
  std::string text;
  for (std::uint32_t i = 0; i < element.line_count; ++i) {
    text += (i > 0 ? "\n" : "") + line_text(page, page.lines[element.first_line + i]);
  }
  return text;
}

// Texts are left out, because `rows` has them.
Json cell_records(const std::vector<StatedCell>& cells) {
  Json records = Json::array();
  for (const StatedCell& cell : cells) {
    records.push_back({{"row", cell.row},
                       {"column", cell.column},
                       {"rows", cell.rows},
                       {"columns", cell.columns},
                       {"head", cell.is_head}});
  }
  return records;
}

Json element_record(const Page& page, const Element& element) {
  Json out = {{"kind", element_name(element.kind)},
              {"box", describe(element.box)},
              {"text", text_of(page, element)}};
  if (element.kind == ElementKind::heading) out["level"] = element.level;
  // Keys that do not apply to an element are left out.
  if (element.parent >= 0) out["parent"] = element.parent;
  if (!element.caption.empty()) out["caption"] = element.caption;
  if (element.kind != ElementKind::table) return out;
  const evidence::PageTable table = evidence::page_table(page, element);
  // A table without recognised cells has only its text.
  if (table.rows.empty()) return out;
  out["rows"] = table.rows;
  out["header_rows"] = table.header_rows;
  if (!table.cells.empty()) out["cells"] = cell_records(table.cells);
  return out;
}

}  // namespace

const char* element_name(ElementKind kind) {
  switch (kind) {
    case ElementKind::heading:
      return "heading";
    case ElementKind::paragraph:
      return "paragraph";
    case ElementKind::list_item:
      return "list_item";
    case ElementKind::table:
      return "table";
    case ElementKind::figure:
      return "figure";
    case ElementKind::caption:
      return "caption";
    case ElementKind::furniture:
      break;
  }
  return "furniture";
}

Json describe(const PageRef& ref, const Page& page) {
  Json elements = Json::array();
  for (const Element& element : page.elements) elements.push_back(element_record(page, element));
  return {{"doc", ref.doc},
          {"page", ref.page},
          {"label", page.label},
          // plain_number() writes the shortest decimal of a float, as in the store's own records.
          {"width", plain_number(page.width_pt)},
          {"height", plain_number(page.height_pt)},
          {"source", source_name(page.source)},
          {"language", page.language},
          {"problem", page.problem},
          {"text", page_text(page)},
          {"elements", std::move(elements)}};
}

Json describe(const Box& box) {
  return Json::array(
      {plain_number(box.x0), plain_number(box.y0), plain_number(box.x1), plain_number(box.y1)});
}

}  // namespace fineprint::exchange
