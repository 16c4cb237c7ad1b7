// Writes a table as JSON Lines.
#include "fineprint/core/json.h"
#include "fineprint/sheet/sheet.h"

namespace fineprint::sheet {
namespace {

// Exact digits as a number of JSON.
Json value_json(const Column& column, const TypedValue& value) {
  if (column.type == ColumnType::number || column.type == ColumnType::money) {
    return Json::parse(value.text);
  }
  if (column.type == ColumnType::yes_no) return value.text == "yes";
  return value.text;
}

Json boxes_json(const std::vector<Box>& boxes) {
  Json list = Json::array();
  for (const Box& box : boxes) list.push_back({box.x0, box.y0, box.x1, box.y1});
  return list;
}

Json cell_json(const Column& column, const Cell& cell) {
  Json json = {{"column", column.name},
               {"type", type_name(column.type)},
               {"value", cell.value ? value_json(column, *cell.value) : Json()}};
  if (cell.value && !cell.value->unit.empty()) {
    json["unit"] = cell.value->unit;
  } else if (cell.value && !column.unit.empty()) {
    json["unit"] = column.unit;
  }
  if (cell.value) {
    json["printed"] = cell.printed;
    json["confidence"] = cell.confidence;
    if (cell.proof) {
      json["page"] = cell.proof->page.page;
      json["quote"] = cell.proof->quote;
      json["boxes"] = boxes_json(cell.proof->boxes);
    }
  }
  if (!cell.problem.empty()) json["error"] = cell.problem;
  return json;
}

}  // namespace

std::string to_jsonl(const Sheet& sheet) {
  std::string lines;
  for (const Row& row : sheet.rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
      cells.push_back(cell_json(sheet.columns[i], row.cells[i]));
    }
    lines += dump_json({{"doc", row.doc}, {"cells", cells}});
    lines += '\n';
  }
  return lines;
}

}  // namespace fineprint::sheet
