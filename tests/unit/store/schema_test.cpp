// A store as the first version of its tables had it, opened by this program.
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/store/store.h"
#include "fineprint/tensorfile/safetensors.h"

#include "sample.h"
#include "store/migrations.h"
#include "store/page_blob.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::TempDir;
using Lines = std::vector<std::string>;

constexpr std::size_t kDim = 3;

// The documents of the store: pages, chunks by page, and vectors at a place in a file of their own.
struct OldDocument {
  std::int64_t id = 0;
  std::string doc;
  std::vector<std::int32_t> chunk_pages;
  int pages = 0;
  std::int64_t segment = 0;
  std::vector<float> vectors;
};

std::vector<OldDocument> old_documents() {
  return {{1, "a.pdf", {1, 1, 2}, 2, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
          {4, "b.pdf", {2, 3}, 3, 5, {0, 0.5, 1, 1, 0.5, 0}},
          {5, "empty.pdf", {}, 1, 0, {}}};
}

void insert_rows(Database& database, const OldDocument& document) {
  database.query("INSERT INTO documents VALUES(?,?,'/x','t','h','s',1,2,?,0,0,?,'PDF','')")
      .bind(document.id)
      .bind(std::string_view(document.doc))
      .bind(std::int64_t{document.pages})
      .bind(static_cast<std::int64_t>(document.chunk_pages.size()))
      .run();
  for (int number = 1; number <= document.pages; ++number) {
    Page page;
    page.number = number;
    const std::string blob = encode_page(page);
    database.query("INSERT INTO pages VALUES(?,?,'',1,1,0,0,'',?)")
        .bind(document.id)
        .bind(std::int64_t{number})
        .bind_blob(blob)
        .run();
  }
  std::int64_t ordinal = 0;
  for (const std::int32_t page : document.chunk_pages) {
    database.query("INSERT INTO chunks VALUES(?,?,?,0,0,0,0,1,1,'','a text')")
        .bind(document.id)
        .bind(ordinal++)
        .bind(std::int64_t{page})
        .run();
  }
}

void insert_vectors(const std::string& dir, Database& database, const OldDocument& document) {
  if (document.vectors.empty()) return;
  const std::string file = fineprint::format("vectors/text/{:08}.safetensors", document.segment);
  const std::span<const std::uint8_t> bytes(
      reinterpret_cast<const std::uint8_t*>(document.vectors.data()), document.vectors.size() * 4);
  const auto rows = static_cast<std::int64_t>(document.vectors.size() / kDim);
  std::filesystem::create_directories(dir + "/vectors/text");
  tensorfile::write(dir + "/" + file, {{"vectors", tensorfile::Dtype::f32, {rows, kDim}, bytes}});
  database.query("INSERT INTO segments VALUES(?,'text',?,?,?,3)")
      .bind(document.segment)
      .bind(std::string_view(file))
      .bind(static_cast<std::int64_t>(checksum(bytes)))
      .bind(rows)
      .run();
  database.query("INSERT INTO vectors VALUES(?,'text',?,0,?)")
      .bind(document.id)
      .bind(document.segment)
      .bind(rows)
      .run();
}

// Two occurrences of "w1" in the first unit of a.pdf, and lengths, as that version packed them.
void insert_terms(Database& database) {
  database.execute(
      "INSERT INTO fields VALUES(1, 'chunk');"
      "INSERT INTO postings VALUES(1, 'w1', 1, x'0002');"
      "INSERT INTO lengths VALUES(1, 1, x'020000');"
      "INSERT INTO document_terms VALUES(1, 1, x'00027731')");
}

void make_version_1(const std::string& dir, bool with_model) {
  std::filesystem::create_directories(dir);
  Database database(dir + "/catalog.sqlite", OpenAs::writer);
  database.execute(migrations()[0].sql);
  database.execute(
      fineprint::format("PRAGMA application_id = {}; PRAGMA user_version = 1", kApplicationId));
  database.execute("INSERT INTO meta VALUES('id', '0123456789abcdef0123456789abcdef')");
  for (const OldDocument& document : old_documents()) {
    insert_rows(database, document);
    insert_vectors(dir, database, document);
  }
  insert_terms(database);
  if (with_model) database.execute("INSERT INTO models VALUES('text', 'mini', 'h1', 3)");
  // A segment that was there once: its number must not come back.
  database.execute("UPDATE sqlite_sequence SET seq = 9 WHERE name = 'segments'");
}

void expect_all_there(const Store& store) {
  EXPECT_EQ(store.id(), "0123456789abcdef0123456789abcdef");
  EXPECT_EQ(store.documents().size(), 3U);
  const auto pages = store.chunk_pages();
  ASSERT_EQ(pages.size(), 2U);
  const auto blocks = store.vectors("text");
  ASSERT_EQ(blocks.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const OldDocument document = old_documents()[i];
    EXPECT_EQ(pages.at(document.id), document.chunk_pages);
    EXPECT_EQ(blocks[i].document, document.id);
    EXPECT_EQ(blocks[i].units, document.chunk_pages.size());
    const auto* values = static_cast<const float*>(blocks[i].rows.values);
    EXPECT_EQ(std::vector<float>(values, values + blocks[i].rows.count * kDim), document.vectors);
  }
  EXPECT_TRUE(store.missing_vectors("text").empty());
  EXPECT_EQ(store.chunk(1, 2).chunk.text, "a text");
}

TEST(Migration, BringsAVersionOneStoreUpToDate) {
  const TempDir dir;
  make_version_1(dir.file("s"), true);
  {
    Store store(dir.file("s"), Mode::write);
    expect_all_there(store);
    EXPECT_EQ(store.verify(), Lines());
    const auto sets = store.vector_sets();
    ASSERT_EQ(sets.size(), 1U);
    EXPECT_EQ(sets[0].name, "text");
    EXPECT_EQ(sets[0].kind, "text");
    EXPECT_EQ(sets[0].unit, VectorUnit::chunk);
    EXPECT_EQ(sets[0].model, "mini");
    EXPECT_EQ(sets[0].hash, "h1");
    EXPECT_EQ(sets[0].dim, kDim);
    EXPECT_EQ(sets[0].format, VectorFormat{});
    EXPECT_EQ(sets[0].input + sets[0].spec, "");
  }
  expect_all_there(Store(dir.file("s"), Mode::read));
}

TEST(Migration, GoesOnCountingSegmentsAndWriting) {
  const TempDir dir;
  make_version_1(dir.file("s"), true);
  Store store(dir.file("s"), Mode::write);
  const NewVectors vectors{1, 0, 3, {}, {3, kDim, std::vector<float>(9, 0.25F)}};
  store.put_vectors("text", std::vector{vectors});
  EXPECT_TRUE(std::filesystem::exists(dir.file("s/vectors/text/00000010.safetensors")));
  store.put(testing::sample_document("b.pdf", 1));
  store.remove("empty.pdf");
  store.compact();
  EXPECT_EQ(store.verify(), Lines());
  EXPECT_EQ(store.vectors("text").size(), 1U);
}

TEST(Migration, KeepsTheKeywordIndex) {
  const TempDir dir;
  make_version_1(dir.file("s"), true);
  const Store store(dir.file("s"), Mode::write);
  std::size_t found = 0;
  for (const auto& segment : store.postings("chunk")) {
    std::vector<score::Posting> postings;
    segment->read("w1", &postings);
    for (const auto& posting : postings) found += posting.frequency;
  }
  EXPECT_EQ(found, 2U);
}

TEST(Migration, NamesASetThatNoModelIsKnownOf) {
  const TempDir dir;
  make_version_1(dir.file("s"), false);
  const Store store(dir.file("s"), Mode::write);
  expect_all_there(store);
  EXPECT_EQ(store.vector_sets().at(0).model, "unknown");
}

TEST(Migration, IsLeftToTheWriter) {
  const TempDir dir;
  make_version_1(dir.file("s"), true);
  try {
    const Store store(dir.file("s"), Mode::read);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("fineprint index"), std::string::npos);
  }
}

TEST(Migration, HappensWholeOrNotAtAll) {
  const TempDir dir;
  make_version_1(dir.file("s"), true);
  // A stray table of a name that is needed stops the migration.
  Database(dir.file("s/catalog.sqlite"), OpenAs::writer).execute("CREATE TABLE page_graphs(x)");
  EXPECT_THROW(Store(dir.file("s"), Mode::write), Error);
  Database(dir.file("s/catalog.sqlite"), OpenAs::writer).execute("DROP TABLE page_graphs");
  Store store(dir.file("s"), Mode::write);
  expect_all_there(store);
  EXPECT_EQ(store.verify(), Lines());
}

}  // namespace
}  // namespace fineprint::store
