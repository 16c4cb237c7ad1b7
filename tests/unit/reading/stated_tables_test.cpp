// Tables of all formats come back from their pages with the rows, columns, spans and heads that the
// file states.
#include "reading/stated_tables.h"

#include <gtest/gtest.h>

#include "fineprint/markup/markup.h"

#include "markup/readers.h"
#include "reading/layout.h"
#include "support/office_package.h"

namespace fineprint::reading {
namespace {

std::vector<Page> laid_out(const std::string& name, const std::string& bytes) {
  std::vector<markup::StatedTable> tables;
  pdf::Content content{.bytes = bytes, .kind = name.substr(name.rfind('.') + 1)};
  if (content.kind == "html") {
    tables = markup::read_html_tables(bytes);
  } else if (content.kind == "md") {
    tables = markup::read_pipe_tables(bytes);
  } else {
    markup::Markup text = markup::to_markup(name, bytes);
    tables = std::move(text.tables);
    content = {.bytes = std::move(text.xhtml), .kind = "xhtml", .width_pt = text.width_pt};
  }
  pdf::Document document(name, std::move(content));
  StatedTables stated(std::move(tables));
  std::vector<Page> pages;
  for (int number = 1; number <= document.info().page_count; ++number) {
    pdf::RawPage raw = document.page(number);
    const auto parts = stated.on_page(&raw, [&](int other) { return document.page(other); });
    pages.push_back(lay_out(raw, parts));
  }
  return pages;
}

std::string words_of_cell(const Page& page, const StatedCell& cell) {
  std::string text;
  for (std::uint32_t i = 0; i < cell.word_count; ++i) {
    append_word(page.words[cell.first_word + i].text, &text);
  }
  return cell.word_count == 0 && !cell.text.empty() ? "(" + cell.text + ")" : text;
}

// Returns the rows of a table: "Port*|Tons*2". A star marks a head, numbers after it the columns
// that the cell spans, and "^" the rows if they are several. Texts in brackets are not on the page.
std::vector<std::string> cell_rows(const Page& page, const Element& table) {
  std::vector<std::string> rows;
  for (const StatedCell& cell : table.cells) {
    const bool begins = rows.size() <= cell.row;
    if (begins) rows.resize(cell.row + std::size_t{1});
    std::string& row = rows[cell.row];
    row += (begins ? "" : "|") + words_of_cell(page, cell) + (cell.is_head ? "*" : "");
    if (cell.columns > 1) row += std::to_string(cell.columns);
    if (cell.rows > 1) row += "^" + std::to_string(cell.rows);
  }
  return rows;
}

std::vector<std::vector<std::string>> stated_on(const std::vector<Page>& pages) {
  std::vector<std::vector<std::string>> tables;
  for (const Page& page : pages) {
    for (const Element& element : page.elements) {
      if (!element.cells.empty()) tables.push_back(cell_rows(page, element));
    }
  }
  return tables;
}

using CellRows = std::vector<std::string>;
struct StatedCase {
  std::string name;
  std::string bytes;
  std::vector<CellRows> tables;
};

std::string docx_cell(const std::string& text, const std::string& properties = "") {
  return "<w:tc><w:tcPr>" + properties + "</w:tcPr><w:p><w:r><w:t>" + text +
         "</w:t></w:r></w:p></w:tc>";
}
const std::string kWide = "<w:gridSpan w:val=\"2\"/>", kTop = "<w:vMerge w:val=\"restart\"/>",
                  kBelow = "<w:vMerge/>";

std::string docx_table(const std::vector<std::string>& rows) {
  std::string out = "<w:tbl>";
  for (const std::string& row : rows) out += "<w:tr>" + row + "</w:tr>";
  return fineprint::testing::docx(out + "</w:tbl>");
}

std::string pptx_cell(const std::string& text, const std::string& attributes = "") {
  return "<a:tc " + attributes + "><a:txBody><a:p><a:r><a:t>" + text +
         "</a:t></a:r></a:p></a:txBody></a:tc>";
}

std::string pptx_table(const std::vector<std::string>& rows) {
  std::string out = "<p:graphicFrame><a:tbl>";
  for (const std::string& row : rows) out += "<a:tr>" + row + "</a:tr>";
  return fineprint::testing::pptx({out + "</a:tbl></p:graphicFrame>"});
}

// A workbook of one sheet. Cells are "A1=text", with numbers as numbers.
std::string sheet(const std::vector<CellRows>& rows, const std::string& merges = "") {
  std::string data;
  for (const CellRows& row : rows) {
    data += "<row>";
    for (const std::string& cell : row) {
      const std::size_t at = cell.find('=');
      const std::string value = cell.substr(at + 1);
      const bool number = value.find_first_not_of("0123456789.") == std::string::npos;
      data +=
          "<c r=\"" + cell.substr(0, at) + "\"" +
          (number ? "><v>" + value + "</v>" : " t=\"inlineStr\"><is><t>" + value + "</t></is>") +
          "</c>";
    }
    data += "</row>";
  }
  std::string merged;
  if (!merges.empty()) merged = "<mergeCells>" + merges + "</mergeCells>";
  return fineprint::testing::package(
      "xl/workbook.xml",
      {{"xl/workbook.xml",
        "<workbook xmlns:r=\"r\"><sheets><sheet name=\"S\" r:id=\"s1\"/></sheets></workbook>"},
       {"xl/_rels/workbook.xml.rels",
        fineprint::testing::relations({{"s1", "worksheet", "worksheets/sheet1.xml"}})},
       {"xl/worksheets/sheet1.xml",
        "<worksheet><sheetData>" + data + "</sheetData>" + merged + "</worksheet>"}});
}

const std::vector<StatedCase>& cases() {
  static const std::vector<StatedCase> kStatedCases = {
      // CSV and TSV
      {"plain.csv", "Port,Tons\nHull,12\nWick,7\n", {{"Port*|Tons*", "Hull|12", "Wick|7"}}},
      {"empty.csv", "Port,Tons,Crew\nHull,,4\n,7,\n", {{"Port*|Tons*|Crew*", "Hull||4", "|7|"}}},
      {"ragged.csv", "Port,Tons\nHull,12,late\nWick\n", {{"Port*|Tons*", "Hull|12|late", "Wick"}}},
      {"quoted.csv",
       "Port,Note\nHull,\"said \"\"no\"\",\nthen left\"\n",
       {{"Port*|Note*", "Hull|said \"no\", then left"}}},
      {"titled.csv",
       "Harbour of Cawston\nPrinted in May\nName,Post,Since\nRosa,Pilot,2011\nHugh,Diver,2016\n",
       {{"Name*|Post*|Since*", "Rosa|Pilot|2011", "Hugh|Diver|2016"}}},
      {"close.csv", "A,B,C\n1 2,3 4,5 6\n", {{"A*|B*|C*", "1 2|3 4|5 6"}}},
      {"same.csv", "A,A\nA,A\nA,A\n", {{"A*|A*", "A|A", "A|A"}}},
      {"far.tsv",
       "Port\tShare\nBexley Harbour North\t12 %\n",
       {{"Port*|Share*", "Bexley Harbour North|12 %"}}},
      // Workbooks
      {"plain.xlsx",
       sheet({{"A1=Port", "B1=Tons"}, {"A2=Hull", "B2=12"}}),
       {{"Port*|Tons*", "Hull|12"}}},
      {"merged.xlsx",
       sheet({{"A1=Port", "B1=Herring", "D1=Cod"},
              {"B2=2022", "C2=2023", "D2=2022", "E2=2023"},
              {"A3=Aldwick", "B3=11", "C3=12", "D3=13", "E3=14"}},
             "<mergeCell ref=\"A1:A2\"/><mergeCell ref=\"B1:C1\"/><mergeCell ref=\"D1:E1\"/>"),
       {{"Port*^2|Herring*2|Cod*2", "2022*|2023*|2022*|2023*", "Aldwick|11|12|13|14"}}},
      {"labels.xlsx",
       sheet({{"A1=Kind", "B1=Stay", "C1=Fee"},
              {"A2=Yacht", "B2=day", "C2=12"},
              {"B3=week", "C3=70"},
              {"A4=Tug", "B4=day", "C4=44"}},
             "<mergeCell ref=\"A2:A3\"/>"),
       {{"Kind*|Stay*|Fee*", "Yacht^2|day|12", "week|70", "Tug|day|44"}}},
      {"group.xlsx",
       sheet({{"B1=Herring"}, {"A2=Port", "B2=2022", "C2=2023"}, {"A3=Hull", "B3=1", "C3=2"}},
             "<mergeCell ref=\"B1:C1\"/>"),
       {{"Herring*2", "Port*|2022*|2023*", "Hull|1|2"}}},
      {"gaps.xlsx",
       sheet({{"A1=Port", "C1=Tons"}, {"A2=Hull", "C2=12"}}),
       {{"Port*|Tons*", "Hull|12"}}},
      // A blank row sets the heads off.
      {"apart.xlsx",
       sheet({{"A1=In tons", "C1=June 2023"},
              {"B2=Herring", "C2=Cod"},
              {},
              {"A4=Hull", "B4=12", "C4=7"},
              {"A5=Wick", "B5=\u2014", "C5=9"}}),
       {{"In tons*|June 2023*", "Herring*|Cod*", "Hull|12|7", "Wick|\u2014|9"}}},
      {"two.xlsx",
       sheet({{"A1=Port", "B1=Master"}, {}, {"A3=Hull", "C3=12"}, {"A4=Wick", "C4=9"}}),
       {{"Port|Master"}, {"Hull*|12*", "Wick|9"}}},
      {"raised.xlsx",
       sheet({{"A1=Tons</t><r><rPr><vertAlign val=\"superscript\"/></rPr>"
               "<t xml:space=\"preserve\"> (c)</t></r><t>",
               "B1=Port"},
              {"A2=12", "B2=Hull"}}),
       {{"Tons (\u1D9C)*|Port*", "12|Hull"}}},
      // Text documents
      {"plain.docx",
       docx_table({docx_cell("Port") + docx_cell("Tons"), docx_cell("Hull") + docx_cell("12")}),
       {{"Port*|Tons*", "Hull|12"}}},
      {"wide.docx",
       docx_table({docx_cell("Kind") + docx_cell("Summer", kWide) + docx_cell("Winter"),
                   docx_cell("Yacht", kTop) + docx_cell("day") + docx_cell("31") + docx_cell("12"),
                   docx_cell("", kBelow) + docx_cell("week") + docx_cell("180") + docx_cell("70")}),
       {{"Kind*|Summer*2|Winter*", "Yacht^2|day|31|12", "week|180|70"}}},
      {"marked.docx",
       fineprint::testing::docx("<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>" + docx_cell("Port") +
                                docx_cell("Tons") + "</w:tr><w:tr><w:trPr><w:tblHeader/></w:trPr>" +
                                docx_cell("name") + docx_cell("metric") + "</w:tr><w:tr>" +
                                docx_cell("Hull") + docx_cell("12") + "</w:tr></w:tbl>"),
       {{"Port*|Tons*", "name*|metric*", "Hull|12"}}},
      {"nested.docx",
       docx_table({docx_cell("Kind") + docx_cell("Fee"),
                   "<w:tc><w:tbl><w:tr>" + docx_cell("Tug") + docx_cell("with crane") +
                       "</w:tr></w:tbl><w:p/></w:tc>" + docx_cell("44")}),
       {{"Kind*|Fee*", "Tug with crane|44"}}},
      {"indented.docx",
       fineprint::testing::docx("<w:tbl><w:tr>" + docx_cell("Port") + docx_cell("Tons") +
                                "</w:tr><w:tr><w:trPr><w:gridBefore w:val=\"1\"/></w:trPr>" +
                                docx_cell("12") + "</w:tr></w:tbl>"),
       {{"Port*|Tons*", "12"}}},
      // Slides
      {"plain.pptx",
       pptx_table({pptx_cell("Port") + pptx_cell("Tons"), pptx_cell("Hull") + pptx_cell("12")}),
       {{"Port*|Tons*", "Hull|12"}}},
      {"wide.pptx",
       pptx_table({pptx_cell("Port", "rowSpan=\"2\"") + pptx_cell("Cod", "gridSpan=\"2\"") +
                       pptx_cell("", "hMerge=\"1\""),
                   pptx_cell("", "vMerge=\"1\"") + pptx_cell("2022") + pptx_cell("2023"),
                   pptx_cell("Hull") + pptx_cell("1") + pptx_cell("2")}),
       {{"Port*^2|Cod*2", "2022*|2023*", "Hull|1|2"}}},
      // HTML
      {"plain.html",
       "<table><tr><th>Port</th><th>Tons</th></tr><tr><td>Hull</td><td>12</td></tr></table>",
       {{"Port*|Tons*", "Hull|12"}}},
      {"spans.html",
       "<p>Fees</p><table><tr><th rowspan=2>Kind</th><th colspan=2>Summer</th><th rowspan=2>Winter"
       "</th></tr><tr><th>day</th><th>week</th></tr><tr><td>Yacht</td><td>31</td><td>180</td>"
       "<td>12</td></tr></table><p>End</p>",
       {{"Kind*^2|Summer*2|Winter*^2", "day*|week*", "Yacht|31|180|12"}}},
      {"groups.html",
       "<table><caption>Fees of 2024</caption><thead><tr><td>Port</td><td>Tons</td></tr></thead>"
       "<tbody><tr><th>Hull</th><td>12</td></tr></tbody><tfoot><tr><th>All</th><td>12</td></tr>"
       "</tfoot></table>",
       {{"Port*|Tons*", "Hull*|12", "All*|12"}}},
      {"layout.html",
       "<table><tr><td><table><tr><th>Port</th><th>Tons</th></tr><tr><td>Hull</td><td>12</td></tr>"
       "</table></td><td>menu</td></tr></table>",
       {{"Port*|Tons*", "Hull|12"}}},
      {"inner.html",
       "<table><tr><th>Kind</th><th>Fee in crowns</th></tr><tr><td>Tug<table><tr><td>with</td>"
       "<td>crane</td></tr></table></td><td>44 for each day</td></tr></table>",
       {{"Kind*|Fee in crowns*", "Tug with crane|44 for each day"}}},
      {"list.html",
       "<table><tr><th>Port</th><th>Ships</th></tr><tr><td>Hull</td><td><ul><li>Ida</li><li>Una"
       "</li></ul></td></tr></table>",
       {{"Port*|Ships*", "Hull|• Ida • Una"}}},
      {"tight.html",
       "<style>td,th{padding:0}table{border-spacing:0}</style><table><tr><th>Jan</th><th>Feb</th>"
       "</tr><tr><td>120</td><td>130</td></tr></table>",
       {{"Jan*|Feb*", "120|130"}}},
      {"two.html",
       "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><p>A B</p>"
       "<table><tr><th>A</th><th>B</th></tr><tr><td>3</td><td>4</td></tr></table>",
       {{"A*|B*", "1|2"}, {"A*|B*", "3|4"}}},
      {"blanks.html",
       "<table><tr><th>Port</th><th>Tons</th></tr><tr>"
       "<td>Hull&nbsp;East</td><td>1&#8239;200</td></tr></table>",
       {{"Port*|Tons*", "Hull East|1 200"}}},
      // Markdown
      {"plain.md",
       "# Fees\n\n| Port | Tons |\n| --- | ---: |\n| Hull | 12 |\n\nEnd.\n",
       {{"Port*|Tons*", "Hull|12"}}},
      {"marks.md",
       "Port | *Code*\n:--|:-:\n**Hull** | a\\|b\n[Wick](http://x.y) | `c_d` & e\n",
       {{"Port*|Code*", "Hull|a|b", "Wick|c_d & e"}}},
      {"short.md",
       "|A|B|\n|-|-|\n|1|\n|2|3|\n\n```\n|X|Y|\n|-|-|\n```\n",
       {{"A*|B*", "1|", "2|3"}}},
  };
  return kStatedCases;
}

TEST(StatedTables, ComeBackFromTheirPages) {
  for (const StatedCase& one : cases()) {
    EXPECT_EQ(stated_on(laid_out(one.name, one.bytes)), one.tables) << one.name;
  }
}

// Each word is in one line, and words of a cell follow each other inside the element.
TEST(StatedTables, CellsHaveTheWordsOfTheirElement) {
  for (const StatedCase& one : cases()) {
    for (const Page& page : laid_out(one.name, one.bytes)) {
      std::uint32_t next = 0;
      for (const Line& line : page.lines) {
        EXPECT_EQ(line.first_word, next) << one.name;
        next += line.word_count;
      }
      EXPECT_EQ(next, page.words.size()) << one.name;
    }
  }
}

TEST(StatedTables, HeadsAreDrawnOnEachPageOfASheet) {
  std::string csv = "Port,Tons\n";
  for (int i = 0; i < 120; ++i) csv += "Hull," + std::to_string(i) + "\n";
  const std::vector<Page> pages = laid_out("long.csv", csv);
  ASSERT_GE(pages.size(), 3U);
  std::size_t rows = 0;
  for (const auto& table : stated_on(pages)) {
    EXPECT_EQ(table.front(), "Port*|Tons*");
    rows += table.size() - 1;
  }
  EXPECT_EQ(rows, 120U);
  EXPECT_EQ(stated_on(pages).size(), pages.size());
}

TEST(StatedTables, GoOnWithTheirHeadsAndWideLabelsOnTheNextPage) {
  std::string html =
      "<table><tr><th>Kind</th><th>Number</th></tr><tr><td rowspan=\"90\">Yacht</td>"
      "<td>n0</td></tr>";
  for (int i = 1; i < 90; ++i) html += "<tr><td>n" + std::to_string(i) + "</td></tr>";
  const std::vector<Page> pages = laid_out("long.html", html + "</table>");
  ASSERT_GE(pages.size(), 2U);
  const auto tables = stated_on(pages);
  ASSERT_EQ(tables.size(), pages.size());
  EXPECT_EQ(tables[0].front(), "Kind*|Number*");
  EXPECT_EQ(tables[1].front(), "(Kind)*|(Number)*");
  EXPECT_TRUE(tables[1].at(1).starts_with("(Yacht)^")) << tables[1].at(1);
  EXPECT_EQ(tables.back().back(), "n89");
}

TEST(StatedTables, PagesCanBeAskedForInAnyOrder) {
  std::string csv = "Port,Tons\n";
  for (int i = 0; i < 120; ++i) csv += "Hull," + std::to_string(i) + "\n";
  markup::Markup text = markup::to_markup("a.csv", csv);
  pdf::Document document("a.csv", {.bytes = text.xhtml, .kind = "xhtml"});
  StatedTables stated(std::move(text.tables));
  for (const int number : {3, 1, 2}) {
    pdf::RawPage raw = document.page(number);
    const auto load = [&](int other) { return document.page(other); };
    EXPECT_EQ(stated.on_page(&raw, load).size(), 1U) << number;
  }
}

TEST(StatedTables, AreLeftOutIfThePageShowsOtherTexts) {
  const std::string bytes =
      "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>";
  pdf::Document document("a.html", {.bytes = bytes, .kind = "html"});
  StatedTables stated(
      {{.caption = "",
        .cells = markup::read_html_table("<table><tr><td>a</td><td>x</td></tr></table>")}});
  pdf::RawPage raw = document.page(1);
  EXPECT_TRUE(stated.on_page(&raw, {}).empty());
  EXPECT_EQ(raw.words.size(), 4U);
}

}  // namespace
}  // namespace fineprint::reading
