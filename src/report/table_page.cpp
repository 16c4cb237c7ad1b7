// Writes the HTML page of a table.
#include "fineprint/report/table_page.h"

#include <filesystem>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "report/html.h"
#include "report/page_pictures.h"
#include "report/rounded.h"
#include "table_page.inc"

namespace fineprint::report {
namespace {

using sheet::ColumnType;

std::string table_policy(const PagePictures& pictures) {
  const std::string from =
      !pictures.are_shown() ? "'none'" : (pictures.are_files() ? "'self' file:" : "data:");
  return format(
      "default-src 'none'; script-src {}; style-src {}; img-src {}; base-uri 'none'; form-action "
      "'none'",
      policy_hash(kTableScriptHash), policy_hash(kTableStyleHash), from);
}

Json columns_data(const sheet::Sheet& table) {
  Json list = Json::array();
  for (const sheet::Column& column : table.columns) {
    const bool is_number = column.type == ColumnType::number || column.type == ColumnType::money;
    list.push_back({{"name", column.name},
                    {"question", column.question},
                    {"type", sheet::type_name(column.type)},
                    {"unit", column.unit},
                    {"number", is_number}});
  }
  return list;
}

Json marked_boxes(const Citation& proof) {
  Json boxes = Json::array();
  for (const Box& box : proof.boxes) boxes.push_back({box.x0, box.y0, box.x1, box.y1});
  return rounded(boxes);
}

// An empty cell is null.
Json cell_data(const sheet::Cell& cell, PagePictures* pictures) {
  if (!cell.problem.empty()) return {{"problem", cell.problem}};
  if (!cell.value) return Json();
  Json data = {{"value", cell.value->text},
               {"unit", cell.value->unit},
               {"printed", cell.printed},
               {"confidence", rounded(cell.confidence)}};
  if (!cell.proof) return data;
  data["page"] = cell.proof->page.page;
  data["quote"] = cell.proof->quote;
  data["boxes"] = marked_boxes(*cell.proof);
  if (pictures->are_shown()) data["picture"] = pictures->want(cell.proof->page);
  return data;
}

Json rows_data(const sheet::Sheet& table, PagePictures* pictures) {
  Json rows = Json::array();
  for (const sheet::Row& row : table.rows) {
    Json cells = Json::array();
    for (const sheet::Cell& cell : row.cells) cells.push_back(cell_data(cell, pictures));
    rows.push_back({{"doc", row.doc}, {"cells", std::move(cells)}});
  }
  return rows;
}

Json pictures_data(const PagePictures& pictures) {
  Json list = Json::array();
  for (const ShownPage& page : pictures.pages()) {
    list.push_back({{"source", page.source},
                    {"problem", page.problem},
                    {"width", rounded(double{page.width_pt})},
                    {"height", rounded(double{page.height_pt})}});
  }
  return list;
}

}  // namespace

Written write_table_page(const sheet::Sheet& table, const std::string& title,
                         const session::Corpus& corpus, const session::PageImages& images,
                         const ReportOptions& options, const std::string& out) {
  ReportOptions chosen = options;
  if (chosen.pictures == Pictures::automatic) chosen.pictures = Pictures::embed;
  const std::filesystem::path file(out);
  const std::string folder_name = file.stem().string() + ".pages";
  PagePictures pictures(&corpus, &images, chosen);
  Json data = {{"columns", columns_data(table)}, {"rows", rows_data(table, &pictures)}};
  pictures.draw((file.parent_path() / folder_name).string());
  data["pictures"] = pictures_data(pictures);
  data["folder"] = pictures.are_files() ? folder_name : "";
  const std::string policy = table_policy(pictures), escaped = escape_html(title),
                    packed = packed_json(data);
  const Replacement values[] = {{"policy", policy},
                                {"title", escaped},
                                {"style", kTableStyle},
                                {"data", packed},
                                {"script", kTableScript}};
  const std::string html = fill_in(kTableFrame, values);
  write_file_atomic(out, html);
  Written written{
      .questions = table.columns.size(), .bytes = html.size(), .missing = pictures.missing()};
  if (pictures.are_shown()) written.pages = pictures.pages().size() - written.missing.size();
  if (pictures.are_files()) written.folder = (file.parent_path() / folder_name).string();
  return written;
}

}  // namespace fineprint::report
