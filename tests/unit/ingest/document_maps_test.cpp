// Maps are made where they are missing or stale, and nowhere else.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fineprint::ingest::testing
