// Maps are made where they are missing or stale, and nowhere else.
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/docmap/document_map.h"

#include "ingest_fixture.h"

namespace fineprint::ingest::testing {
namespace {

class DocumentMaps : public IngestTest {
 protected:
  DocumentMaps() {
    options_.scorers = {"bm25"};
    options_.map = "heuristic";
    add("docs/harbor-annual-report.pdf", "report.pdf");
    add("docs/rotated-table.pdf", "table.pdf");
  }

  docmap::DocumentMap map_of(const std::string& doc) const {
    const store::Store store = reader();
    return docmap::parse_map(store.document_map(store.find(doc)->id).value().json, doc);
  }
};

TEST_F(DocumentMaps, AreMadeOfEveryDocumentOnce) {
  EXPECT_EQ(run().maps, 2);
  const docmap::DocumentMap map = map_of("report.pdf");
  EXPECT_EQ(map.doc, "report.pdf");
  EXPECT_EQ(map.hash, reader().find("report.pdf")->hash);
  EXPECT_EQ(map.pages_total, 11);
  EXPECT_EQ(map.pages.size(), 11U);
  EXPECT_FALSE(map.sections.empty());
  EXPECT_FALSE(map.elements.empty());
  EXPECT_EQ(run().maps, 0);
  EXPECT_EQ(map_of("report.pdf"), map);
}

TEST_F(DocumentMaps, AreMadeOnlyWhenAsked) {
  options_.map.clear();
  EXPECT_EQ(run().maps, std::nullopt);
  const store::Store store = reader();
  EXPECT_FALSE(store.document_map(store.find("report.pdf")->id));
}

TEST_F(DocumentMaps, OfChangedDocumentsAreMadeAnew) {
  run();
  add("docs/reef-survey-paper.pdf", "report.pdf");
  EXPECT_EQ(run().maps, 1);
  EXPECT_EQ(map_of("report.pdf").pages_total, 4);
}

TEST_F(DocumentMaps, OfAnotherMakerAreMadeAnew) {
  run();
  {
    store::Store store(dir_.file("s"), store::Mode::write);
    const auto id = store.find("table.pdf")->id;
    store.put_document_map(id, {"heuristic 0", store.document_map(id)->json});
  }
  EXPECT_EQ(run().maps, 1);
  EXPECT_EQ(run().maps, 0);
}

TEST_F(DocumentMaps, AreMadeOfDocumentsOutsideTheGivenFoldersToo) {
  options_.map.clear();
  run();
  options_.map = "heuristic";
  EXPECT_EQ(run({dir_.file("in/table.pdf")}).maps, 2);
  EXPECT_EQ(run().maps, 0);
}

// A script that says one sentence of each of these pages of table.pdf, and opens no section.
std::string script_of(const std::vector<int>& pages) {
  std::string script;
  for (const int page : pages) {
    const Json reply = {{"new_sections", Json::array()},
                        {"page_sections", {"0"}},
                        {"summary", "Seen: " + std::to_string(page)},
                        {"elements", Json::array()}};
    Json match = {{"pages", Json::array()}};  // the page before it is shown too
    if (page > 1) match["pages"].push_back("table.pdf:" + std::to_string(page - 1));
    match["pages"].push_back("table.pdf:" + std::to_string(page));
    script += dump_json({{"agent", "docmap.builder"}, {"match", match}, {"reply", reply}}) + "\n";
  }
  return script;
}

class MapsByModel : public DocumentMaps {
 protected:
  MapsByModel() { std::filesystem::remove(dir_.file("in/report.pdf")); }

  void use_script(const std::vector<int>& pages) {
    options_.map = "script:" + dir_.write("script.jsonl", script_of(pages));
  }
};

TEST_F(MapsByModel, AreMadePageByPage) {
  use_script({1, 2});
  EXPECT_EQ(run().maps, 1);
  const docmap::DocumentMap map = map_of("table.pdf");
  ASSERT_EQ(map.pages.size(), 2U);
  EXPECT_EQ(map.pages[1].summary, "Seen: 2");
  EXPECT_EQ(map.model, "script:script.jsonl");
  EXPECT_EQ(run().maps, 0);
}

// The script has no more to say at page 2, which ends the run: page 1 is kept, and is not asked for
// again.
TEST_F(MapsByModel, GoOnBehindThePageThatIsStored) {
  use_script({1});
  EXPECT_NE(failure(ErrorCode::model).find("docmap.builder"), std::string::npos);
  docmap::DocumentMap map = map_of("table.pdf");
  ASSERT_EQ(map.pages.size(), 1U);
  map.pages[0].summary = "Not asked for again.";
  {
    store::Store store(dir_.file("s"), store::Mode::write);
    const auto id = store.find("table.pdf")->id;
    const std::string maker = store.document_map(id)->maker;
    use_script({2});
    const std::string other = "model " + file_hash(dir_.file("script.jsonl"));
    store.put_document_map(id, {other + maker.substr(maker.find(" by ")), docmap::to_json(map)});
  }
  EXPECT_EQ(run().maps, 1);
  ASSERT_EQ(map_of("table.pdf").pages.size(), 2U);
  EXPECT_EQ(map_of("table.pdf").pages[0].summary, "Not asked for again.");
}

TEST_F(MapsByModel, OfAnotherGeneratorAreMadeAnew) {
  EXPECT_EQ(run().maps, 1);  // without one
  use_script({1, 2});
  EXPECT_EQ(run().maps, 1);
  EXPECT_EQ(map_of("table.pdf").pages[0].summary, "Seen: 1");
}

TEST_F(MapsByModel, ByAnotherPromptAreMadeAnew) {
  use_script({1, 2});
  run();
  {
    store::Store store(dir_.file("s"), store::Mode::write);
    const auto id = store.find("table.pdf")->id;
    const std::string maker = store.document_map(id)->maker;
    const std::string other_prompt = maker.substr(0, maker.rfind(' ')) + " 0123";
    store.put_document_map(id, {other_prompt, store.document_map(id)->json});
  }
  EXPECT_EQ(run().maps, 1);
  EXPECT_EQ(run().maps, 0);
}

TEST_F(MapsByModel, ThatCannotBeAskedIsToldBeforeAnythingIsRead) {
  options_.map = "no/such-model";
  EXPECT_NE(failure(ErrorCode::model).find("no/such-model"), std::string::npos);
  EXPECT_TRUE(names().empty());
}

// Its pages cannot be drawn any more: the run says so and maps the others.
TEST_F(MapsByModel, OfAFileThatIsGoneIsAFailureOfThatDocument) {
  options_.map.clear();
  add("docs/rotated-table.pdf", "gone.pdf");
  run();
  std::filesystem::remove(dir_.file("in/gone.pdf"));
  use_script({1, 2});
  const IngestReport report = run();
  EXPECT_EQ(report.maps, 1);
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(report.failures[0].file, "gone.pdf");
  EXPECT_TRUE(report.failures[0].kept);
}

}  // namespace
}  // namespace fineprint::ingest::testing
