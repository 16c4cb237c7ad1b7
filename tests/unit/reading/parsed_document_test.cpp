// What docling and MinerU have read, as pages.
#include "reading/parsed/parsed_document.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/temp_dir.h"

namespace fineprint::reading {
namespace {

constexpr const char* kDocling = R"({
  "schema_name": "DoclingDocument", "version": "1.8.0", "name": "report",
  "pages": {"1": {"size": {"width": 600, "height": 800}, "page_no": 1},
            "2": {"size": {"width": 600, "height": 800}, "page_no": 2}},
  "body": {"self_ref": "#/body", "children": [
    {"$ref": "#/texts/0"}, {"$ref": "#/texts/1"}, {"$ref": "#/groups/0"}, {"$ref": "#/tables/0"},
    {"$ref": "#/texts/4"}, {"$ref": "#/pictures/0"}]},
  "groups": [{"self_ref": "#/groups/0", "label": "list", "children": [{"$ref": "#/texts/2"}]}],
  "texts": [
    {"label": "title", "text": "The ferry", "content_layer": "body", "prov": [
      {"page_no": 1, "bbox": {"l": 50, "t": 760, "r": 250, "b": 740, "coord_origin": "BOTTOMLEFT"},
       "charspan": [0, 9]}]},
    {"label": "text", "text": "It was built in Älv. It is white.", "content_layer": "body", "prov": [
      {"page_no": 1, "bbox": {"l": 50, "t": 80, "r": 350, "b": 92, "coord_origin": "TOPLEFT"},
       "charspan": [0, 20]},
      {"page_no": 2, "bbox": {"l": 50, "t": 40, "r": 250, "b": 52, "coord_origin": "TOPLEFT"},
       "charspan": [21, 33]}]},
    {"label": "list_item", "text": "one deck", "marker": "-", "content_layer": "body", "prov": [
      {"page_no": 2, "bbox": {"l": 50, "t": 60, "r": 250, "b": 72, "coord_origin": "TOPLEFT"}}]},
    {"label": "caption", "text": "Table 1: Passengers", "content_layer": "body", "prov": [
      {"page_no": 2, "bbox": {"l": 50, "t": 90, "r": 250, "b": 102, "coord_origin": "TOPLEFT"}}]},
    {"label": "page_footer", "text": "7", "content_layer": "furniture", "prov": [
      {"page_no": 2, "bbox": {"l": 290, "t": 780, "r": 300, "b": 792, "coord_origin": "TOPLEFT"}}]},
    {"label": "text", "text": "LIFEBOAT", "content_layer": "body", "prov": [
      {"page_no": 2, "bbox": {"l": 60, "t": 320, "r": 120, "b": 332, "coord_origin": "TOPLEFT"}}]}],
  "tables": [{"label": "table", "captions": [{"$ref": "#/texts/3"}], "prov": [
      {"page_no": 2, "bbox": {"l": 50, "t": 104, "r": 450, "b": 164, "coord_origin": "TOPLEFT"}}],
    "data": {"num_rows": 3, "num_cols": 2, "table_cells": [
      {"text": "Year", "start_row_offset_idx": 0, "start_col_offset_idx": 0, "row_span": 1,
       "col_span": 1, "column_header": true},
      {"text": "Passengers", "start_row_offset_idx": 0, "start_col_offset_idx": 1, "row_span": 1,
       "col_span": 1, "column_header": true},
      {"text": "2019", "start_row_offset_idx": 1, "start_col_offset_idx": 0},
      {"text": "1,500", "start_row_offset_idx": 1, "start_col_offset_idx": 1},
      {"text": "2020", "start_row_offset_idx": 2, "start_col_offset_idx": 0},
      {"text": "1,200", "start_row_offset_idx": 2, "start_col_offset_idx": 1}]}}],
  "pictures": [{"label": "picture", "captions": [], "children": [{"$ref": "#/texts/5"}], "prov": [
      {"page_no": 2, "bbox": {"l": 50, "t": 300, "r": 250, "b": 400, "coord_origin": "TOPLEFT"}}]}]
})";

std::string text_of(const Page& page, const Element& element) {
  std::string text;
  for (std::uint32_t i = 0; i < element.line_count; ++i) {
    text += (i > 0 ? "|" : "") + line_text(page, page.lines[element.first_line + i]);
  }
  return text;
}

std::vector<std::string> told(const Page& page) {
  constexpr const char* kNames[] = {"heading", "paragraph", "item",     "table",
                                    "figure",  "caption",   "furniture"};
  std::vector<std::string> out;
  for (const Element& element : page.elements) {
    out.push_back(std::string(kNames[static_cast<int>(element.kind)]) + ": " +
                  text_of(page, element));
  }
  return out;
}

using Told = std::vector<std::string>;

TEST(ParsedDocument, DoclingsElementsStandOnTheirPages) {
  const ParsedDocument document = read_docling(kDocling, "a.json");
  EXPECT_EQ(document.format, "docling 1.8.0");
  EXPECT_EQ(document.title, "The ferry");
  EXPECT_FALSE(document.reflowable);
  ASSERT_EQ(document.pages.size(), 2U);
  const Page first = arrange(document.pages[0], nullptr);
  EXPECT_EQ(told(first), (Told{"heading: The ferry", "paragraph: It was built in Älv."}));
  EXPECT_EQ(first.elements[0].box, (Box{50, 40, 250, 60}));
  EXPECT_EQ(first.elements[1].parent, 0);
  EXPECT_EQ(told(arrange(document.pages[1], nullptr)),
            (Told{"paragraph: It is white.", "item: - one deck",
                  "table: Table 1: Passengers|Year Passengers|2019 1,500|2020 1,200",
                  "furniture: 7", "figure: LIFEBOAT"}));
}

TEST(ParsedDocument, WordsLieInTheBoxesOfTheirTexts) {
  const ParsedDocument document = read_docling(kDocling, "a.json");
  const Page page = arrange(document.pages[0], nullptr);
  ASSERT_EQ(page.words.size(), 7U);
  for (std::size_t i = 2; i < page.words.size(); ++i) {
    const Box& box = page.words[i].box;
    EXPECT_TRUE(box.x0 >= 50 && box.x1 <= 350.01F && box.y0 >= 80 && box.y1 <= 92) << i;
    if (i > 2) {
      EXPECT_GT(box.x0, page.words[i - 1].box.x1);
    }
  }
}

TEST(ParsedDocument, WordsThatThePdfHasTakeItsBoxes) {
  const ParsedDocument document = read_docling(kDocling, "a.json");
  pdf::RawPage raw;
  raw.number = 1;
  raw.width_pt = 300;  // half the size that docling saw
  raw.height_pt = 400;
  const Box was{40, 41, 52, 45};
  raw.words = {{.text = "It", .box = {25, 41, 31, 45}, .size_pt = 5},
               {.text = "was", .box = was, .size_pt = 5, .bold = true}};
  const Page page = arrange(document.pages[0], &raw);
  EXPECT_EQ(page.width_pt, 300);
  EXPECT_EQ(page.elements[0].box, (Box{25, 20, 125, 30}));
  ASSERT_EQ(page.words.size(), 7U);
  EXPECT_EQ(page.words[3].text, "was");
  EXPECT_EQ(page.words[3].box, was);
  EXPECT_TRUE(page.words[3].bold);
  EXPECT_EQ(page.source, TextSource::native);
}

TEST(ParsedDocument, WithoutPagesTextsFlowOverPagesOfOurs) {
  std::string texts, children;
  for (int i = 0; i < 8; ++i) {
    texts += std::string(i > 0 ? "," : "") + R"({"label": "text", "text": ")" +
             std::string(999, 'a') + " end\"}";
    children += std::string(i > 0 ? "," : "") + R"({"$ref": "#/texts/)" + std::to_string(i) + "\"}";
  }
  const ParsedDocument document =
      read_docling(R"({"schema_name": "DoclingDocument", "pages": {}, "body": {"children": [)" +
                       children + R"(]}, "texts": [)" + texts + "]}",
                   "a.json");
  EXPECT_TRUE(document.reflowable);
  EXPECT_EQ(document.pages.size(), 4U);
  const Page page = arrange(document.pages[0], nullptr);
  ASSERT_EQ(page.elements.size(), 2U);
  EXPECT_LT(page.elements[0].box.y1, page.elements[1].box.y0);
  EXPECT_LE(page.elements[1].box.y1, page.height_pt);
}

TEST(ParsedDocument, TreesThatComeBackToThemselvesEnd) {
  const ParsedDocument document = read_docling(
      R"({"pages": {}, "body": {"children": [{"$ref": "#/texts/0"}, {"$ref": "#/body"},
          {"$ref": "#/texts/9"}, {"$ref": "nonsense"}]},
          "texts": [{"label": "text", "text": "once", "children": [{"$ref": "#/texts/0"}]}]})",
      "a.json");
  EXPECT_EQ(told(arrange(document.pages[0], nullptr)), Told{"paragraph: once"});
}

TEST(ParsedDocument, MinerusPagesHaveTheirLines) {
  const ParsedDocument document = read_mineru_pages(R"({"pdf_info": [{
    "page_idx": 0, "page_size": [600, 800],
    "para_blocks": [
      {"type": "title", "bbox": [50, 40, 250, 60], "level": 2, "lines": [
        {"bbox": [50, 40, 250, 60], "spans": [{"type": "text", "content": "The ferry"}]}]},
      {"type": "text", "bbox": [50, 80, 350, 110], "lines": [
        {"bbox": [50, 80, 350, 92], "spans": [{"type": "text", "content": "It was built"},
                                             {"type": "inline_equation", "content": "x^2"}]},
        {"bbox": [50, 96, 200, 108], "spans": [{"type": "text", "content": "in Älv."}]}]},
      {"type": "table", "bbox": [50, 120, 450, 200], "blocks": [
        {"type": "table_caption", "bbox": [50, 120, 450, 132], "lines": [
          {"bbox": [50, 120, 250, 132], "spans": [{"type": "text", "content": "Table 1: All"}]}]},
        {"type": "table_body", "bbox": [50, 134, 450, 200], "lines": [
          {"bbox": [50, 134, 450, 200], "spans": [{"type": "table",
           "html": "<table><tr><td>Year</td><td>Sales</td></tr><tr><td>2019</td><td>15</td></tr></table>"}]}]},
        {"type": "table_footnote", "bbox": [50, 202, 450, 210], "lines": [
          {"bbox": [50, 202, 450, 210], "spans": [{"type": "text", "content": "In millions"}]}]}]},
      {"type": "list", "bbox": [50, 220, 450, 260], "lines": [
        {"bbox": [50, 220, 450, 232], "is_list_start_line": true,
         "spans": [{"type": "text", "content": "1. decks"}]},
        {"bbox": [50, 234, 450, 246], "spans": [{"type": "text", "content": "of steel"}]},
        {"bbox": [50, 248, 450, 260], "is_list_start_line": true,
         "spans": [{"type": "text", "content": "2. engines"}]}]}],
    "discarded_blocks": [
      {"type": "text", "bbox": [290, 780, 300, 792], "lines": [
        {"bbox": [290, 780, 300, 792], "spans": [{"type": "text", "content": "7"}]}]}]}]})",
                                                    "a_middle.json");
  ASSERT_EQ(document.pages.size(), 1U);
  const Page page = arrange(document.pages[0], nullptr);
  EXPECT_EQ(told(page), (Told{"heading: The ferry", "paragraph: It was built x^2|in Älv.",
                              "table: Table 1: All|Year Sales|2019 15", "paragraph: In millions",
                              "item: 1. decks|of steel", "item: 2. engines", "furniture: 7"}));
  EXPECT_EQ(page.elements[0].level, 2);
  EXPECT_EQ(page.elements[2].caption, "Table 1: All");
  EXPECT_EQ(page.elements[4].box, (Box{50, 220, 450, 246}));
}

TEST(ParsedDocument, MinerusListNeedsNoBoxes) {
  const ParsedDocument document = read_mineru_list(R"([
    {"type": "text", "text": "The ferry", "text_level": 1, "page_idx": 0},
    {"type": "text", "text": "It is white.", "page_idx": 0, "bbox": [100, 500, 900, 520]},
    {"type": "image", "img_path": "a.jpg", "image_caption": ["Figure 1: It"], "page_idx": 1},
    {"type": "table", "table_caption": [], "table_footnote": ["In millions"],
     "table_body": "<table><tr><td>a</td><td>b</td></tr></table>", "page_idx": 1},
    {"type": "page_number", "text": "2", "page_idx": 1}])",
                                                   "a_content_list.json");
  ASSERT_EQ(document.pages.size(), 2U);
  const Page first = arrange(document.pages[0], nullptr);
  EXPECT_EQ(told(first), (Told{"heading: The ferry", "paragraph: It is white."}));
  EXPECT_FLOAT_EQ(first.elements[1].box.x0, 59.5F);
  EXPECT_FLOAT_EQ(first.elements[1].box.y0, 421);
  EXPECT_EQ(told(arrange(document.pages[1], nullptr)),
            (Told{"figure: Figure 1: It", "table: a b", "paragraph: In millions", "furniture: 2"}));
}

TEST(ParsedDocument, LongTextsFillTheirBoxInLines) {
  ParsedPage parsed;
  parsed.number = 1;
  std::string text;
  for (int i = 0; i < 100; ++i) text += "letters ";
  ParsedElement element;
  element.box = Box{50, 100, 350, 300};
  element.texts = {{.text = text, .box = {}}};
  parsed.elements = {element};
  const Page page = arrange(parsed, nullptr);
  ASSERT_EQ(page.words.size(), 100U);
  EXPECT_TRUE(page.lines.size() >= 10 && page.lines.size() <= 25) << page.lines.size();
  for (const Word& word : page.words) {
    EXPECT_TRUE(word.box.x0 >= 50 && word.box.x1 <= 350.01F && word.box.y0 >= 100 &&
                word.box.y1 <= 300.01F);
  }
}

ErrorCode code_of(const std::string& name, const std::string& json) {
  const fineprint::testing::TempDir dir;
  try {
    read_parsed(dir.write(name, json));
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(ParsedDocument, WhatIsNoneIsDamagedOrEmpty) {
  const std::string head = R"({"schema_name": "DoclingDocument")";
  EXPECT_EQ(code_of("a.json", head), ErrorCode::damaged);
  EXPECT_EQ(code_of("a.json", head + "}"), ErrorCode::empty);
  EXPECT_EQ(code_of("a.json", head + R"(, "body": 7, "pages": "x", "texts": {"a": 1}})"),
            ErrorCode::empty);
  EXPECT_EQ(code_of("a.json", head + R"(, "pages": {"1": {"page_no": -3}}})"), ErrorCode::damaged);
  EXPECT_EQ(code_of("a_middle.json", R"({"pdf_info": {}})"), ErrorCode::empty);
}

}  // namespace
}  // namespace fineprint::reading
