// The files of tables.
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/sheet/sheet.h"

namespace fineprint::sheet {
namespace {

Sheet sheet_of(const std::string& doc, const std::string& text, const std::string& amount) {
  Sheet sheet;
  sheet.columns = {{.name = "Name", .question = "Name"},
                   {.name = "Total", .question = "Total", .type = ColumnType::money}};
  Cell name{.value = TypedValue{.text = text}, .printed = text, .confidence = 0.9};
  name.proof = Citation{.page = {doc, 2}, .quote = "Name: " + text, .boxes = {{1, 2, 3, 4}}};
  Cell total{
      .value = TypedValue{.text = amount, .unit = "EUR"}, .printed = amount, .confidence = 1};
  sheet.rows = {{.doc = doc, .path = "/x/" + doc, .cells = {name, total}},
                {.doc = "empty.pdf", .path = "", .cells = {Cell{}, Cell{}}}};
  return sheet;
}

TEST(Csv, HasARowForEachDocumentAndUnitsOfTheirOwn) {
  EXPECT_EQ(to_csv(sheet_of("a.pdf", "Tern, \"P\"", "-1234.50"), false),
            "Document,Name,Total,Total (unit)\n"
            "a.pdf,\"Tern, \"\"P\"\"\",-1234.50,EUR\n"
            "empty.pdf,,,\n");
}

TEST(Csv, TextsOfDocumentsAreNoFormulas) {
  for (const std::string hostile : {"=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\tx"}) {
    const std::string csv = to_csv(sheet_of(hostile, hostile, "-5"), true);
    EXPECT_EQ(csv.find("\n" + hostile), std::string::npos) << csv;
    EXPECT_EQ(csv.find("," + hostile), std::string::npos) << csv;
    EXPECT_NE(csv.find("'" + hostile), std::string::npos) << csv;
    EXPECT_NE(csv.find(",-5,"), std::string::npos);  // a number that was made here
  }
}

TEST(Csv, ProofsKeepWhatIsPrinted) {
  const std::string csv = to_csv(sheet_of("a.pdf", "Tern", "5.00"), true);
  EXPECT_NE(csv.find("Name (page),Name (quote),Name (printed),Name (confidence)"),
            std::string::npos);
  EXPECT_NE(csv.find("a.pdf,Tern,2,Name: Tern,Tern,0.90,5.00,EUR,,,,\n"), std::string::npos) << csv;
}

TEST(Jsonl, HasTypedValuesAndBoxes) {
  const std::string lines = to_jsonl(sheet_of("a.pdf", "Te\xffrn", "5.10"));
  const Json row = parse_json(lines.substr(0, lines.find('\n')), "row");
  EXPECT_EQ(row["cells"][0]["boxes"][0][3], 4);
  EXPECT_EQ(row["cells"][1]["value"], 5.10);
  EXPECT_EQ(row["cells"][1]["unit"], "EUR");
  const Json empty = parse_json(lines.substr(lines.find('\n') + 1), "row");
  EXPECT_TRUE(empty["cells"][0]["value"].is_null());
}

TEST(SheetFormat, TheEndingDecides) {
  EXPECT_EQ(format_of("a/b.CSV"), SheetFormat::csv);
  try {
    format_of("table.ods");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(".csv, .xlsx, .html, .jsonl"), std::string::npos);
  }
}

TEST(Xlsx, TheSameSheetGivesTheSameBytesAndNoOtherFileStays) {
  const auto folder = std::filesystem::temp_directory_path() / "fineprint-xlsx-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const Sheet sheet = sheet_of("a.pdf", std::string("=1+1\x01\xff") + "x", "5.10");
  write_xlsx(sheet, (folder / "one.xlsx").string());
  write_xlsx(sheet, (folder / "two.xlsx").string());
  EXPECT_EQ(read_file((folder / "one.xlsx").string()), read_file((folder / "two.xlsx").string()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
  EXPECT_THROW(write_xlsx(sheet, (folder / "none" / "three.xlsx").string()), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fineprint::sheet
