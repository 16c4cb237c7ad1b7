// Structural maps: kept with their document, gone with it, found when damaged.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "sample.h"
#include "store/sqlite.h"
#include "support/has.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::has;
using fineprint::testing::TempDir;
using testing::sample_document;
using Lines = std::vector<std::string>;

class DocumentMaps : public ::testing::Test {
 protected:
  DocumentMaps() : store_(dir_.file("s"), Mode::write) {}

  const TempDir dir_;
  Store store_;
};

TEST_F(DocumentMaps, ComeBackAsTheyWerePut) {
  const auto id = store_.put(sample_document("a.pdf", 1));
  EXPECT_FALSE(store_.document_map(id));
  store_.put_document_map(id, {"first", "{}"});
  store_.put_document_map(id, {"second", R"({"doc":"a.pdf"})"});
  ASSERT_TRUE(store_.document_map(id));
  EXPECT_EQ(store_.document_map(id)->maker, "second");
  EXPECT_EQ(store_.document_map(id)->json, R"({"doc":"a.pdf"})");
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(DocumentMaps, GoWhenTheDocumentIsPutAgain) {
  const auto before = store_.put(sample_document("a.pdf", 1));
  store_.put_document_map(before, {"maker", "{}"});
  const auto after = store_.put(sample_document("a.pdf", 1));
  EXPECT_FALSE(store_.document_map(before));
  EXPECT_FALSE(store_.document_map(after));
  store_.put_document_map(before, {"maker", "{}"});  // of a document that is gone
  EXPECT_FALSE(store_.document_map(before));
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(DocumentMaps, ThatAreDamagedAreToldAndDropped) {
  const auto id = store_.put(sample_document("a.pdf", 1));
  const auto other = store_.put(sample_document("b.pdf", 2));
  for (const char* sql : {"UPDATE document_maps SET map = '[]' WHERE maker = 'a'",
                          "UPDATE document_maps SET maker = 'c' WHERE maker = 'a'"}) {
    store_.put_document_map(id, {"a", "{}"});
    store_.put_document_map(other, {"b", "{}"});
    Database(dir_.file("s/catalog.sqlite"), OpenAs::writer).execute(sql);
    const Lines problems = store_.verify();
    ASSERT_EQ(problems.size(), 1U) << sql;
    EXPECT_TRUE(has(problems[0], "a.pdf: its map is damaged")) << problems[0];
    try {
      store_.document_map(id);
      ADD_FAILURE() << sql;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::store);
      EXPECT_TRUE(has(error.what(), "a.pdf")) << error.what();
    }
    EXPECT_TRUE(store_.repair().empty());  // the document itself is sound
    EXPECT_EQ(store_.verify(), Lines());
    EXPECT_FALSE(store_.document_map(id));
    EXPECT_TRUE(store_.document_map(other));
  }
}

TEST_F(DocumentMaps, OfNoDocumentAreToldAndDropped) {
  const auto id = store_.put(sample_document("a.pdf", 1));
  store_.put_document_map(id, {"a", "{}"});
  Database(dir_.file("s/catalog.sqlite"), OpenAs::writer)
      .execute("PRAGMA foreign_keys = OFF; UPDATE document_maps SET document = 99");
  EXPECT_EQ(store_.verify().size(), 1U);
  store_.repair();
  EXPECT_EQ(store_.verify(), Lines());
}

}  // namespace
}  // namespace fineprint::store
