// Maps as JSON and as trees.
#include "fineprint/docmap/document_map.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/docmap/stored_map.h"

#include "support/has.h"

namespace fineprint::docmap {
namespace {

using fineprint::testing::has;
using Lines = std::vector<std::string>;

DocumentMap small_map() {
  DocumentMap map{
      .doc = "a.pdf",
      .hash = "h1",
      .model = "heuristic",
      .pages_total = 4,
      .sections = {{"1", "Harbour", 1, {2, 3}, "", false}, {"1.1", "Tides", 2, {3}, "1", true}},
      .pages = {{1, "A cover.", false, {}},
                {2, "Ships came.", false, {"1"}},
                {3, "", false, {"1.1"}},
                {4, "", true, {}}},
      .elements = {}};
  map.elements.push_back({.id = "p3-e1",
                          .page = 3,
                          .kind = MappedKind::table,
                          .name = "Table 2",
                          .caption = "Table 2: Heights.",
                          .summary = "Heights.",
                          .box = {1.5F, 2, 300.25F, 40}});
  map.elements.push_back(map.elements[0]);
  map.elements[1] = {"p3-e2", 3, MappedKind::chart, "", "", "", {}};
  return map;
}

TEST(DocumentMap, ReadsAsItWasWritten) {
  const DocumentMap map = small_map();
  const std::string json = to_json(map);
  EXPECT_EQ(json.find('\n'), std::string::npos);
  EXPECT_EQ(parse_map(json, "a map"), map);
  EXPECT_TRUE(has(json, R"("box":[1.5,2.0,300.25,40.0])")) << json;
  EXPECT_TRUE(has(json, R"({"number":"1.1","title":"Tides","level":2,"pages":[3],"parent":"1",)"
                        R"("inferred":true})"))
      << json;
}

TEST(DocumentMap, SaysWhatAnElementSays) {
  MappedElement element = small_map().elements[0];
  EXPECT_EQ(element_text(element), "Table 2: Heights.");  // the summary is part of it
  element.summary = "By year.";
  EXPECT_EQ(element_text(element), "Table 2: Heights.\nBy year.");
  element.caption.clear();
  EXPECT_EQ(element_text(element), "By year.");
  element.summary.clear();
  EXPECT_EQ(element_text(element), "table");
}

TEST(DocumentMap, CutsAnElementOutWithAMargin) {
  EXPECT_EQ(cut_out_of(small_map().elements[0]), (Box{-4.5F, -4, 306.25F, 46}));
}

TEST(DocumentMap, IsStoredWithThePagesOfItsElements) {
  const store::StoredMap stored = to_stored(small_map(), "maker 2");
  EXPECT_EQ(stored.maker, "maker 2");
  EXPECT_EQ(stored.json, to_json(small_map()));
  EXPECT_EQ(stored.element_pages, (std::vector<std::int32_t>{3, 3}));
}

TEST(DocumentMap, RoundsBoxesOnce) {
  DocumentMap map = small_map();
  map.elements[0].box.x0 = 72.098765F;
  const std::string json = to_json(map);
  EXPECT_TRUE(has(json, "[72.1,")) << json;
  EXPECT_EQ(to_json(parse_map(json, "a map")), json);
}

TEST(DocumentMap, OfAnotherFormIsRefused) {
  const std::string good = to_json(small_map());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string json = good;
    return json.replace(json.find(from), from.size(), to);
  };
  for (const std::string& json :
       {std::string("{"), std::string("[]"), with("\"doc\"", "\"dok\""),
        with("\"table\"", "\"photo\""), with("[1.5,2.0,300.25,40.0]", "[1.5,2.0]"),
        with("\"pages_total\":4", "\"pages_total\":\"4\"")}) {
    try {
      parse_map(json, "the map of a.pdf");
      ADD_FAILURE() << json;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      EXPECT_TRUE(has(error.what(), "the map of a.pdf")) << error.what();
    }
  }
}

TEST(DocumentMap, IsATreeForPeople) {
  EXPECT_EQ(tree_lines(small_map()),
            (Lines{"a.pdf: 4 pages, 2 sections, 2 figures and tables "
                   "(heuristic)",
                   "  page 1: A cover.", "  page 4: blank", "  1 Harbour (pages 2-3)",
                   "    page 2: Ships came.", "    1.1 Tides [inferred] (page 3)", "      page 3",
                   "        Table 2: Heights.", "        chart"}));
}

TEST(DocumentMap, ListsRunsOfPages) {
  DocumentMap map;
  map.sections = {{"1", "Gaps", 1, {1, 3, 4, 5, 9}, "", false}};
  EXPECT_EQ(tree_lines(map).at(1), "  1 Gaps (pages 1, 3-5, 9)");
}

}  // namespace
}  // namespace fineprint::docmap
