// What is put comes back; damage, strangers and second writers are refused.
#include "fineprint/store/store.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "fineprint/core/error.h"

#include "sample.h"
#include "store/sqlite.h"
#include "support/has.h"
#include "support/temp_dir.h"
#include "tampering.h"

namespace fineprint::store {
namespace {

using fineprint::testing::has;
using fineprint::testing::TempDir;
using testing::change;
using testing::difference;
using testing::error_of;
using testing::put_with_vectors;
using testing::sample_document;

TEST(Store, GivesBackWhatWasPut) {
  const TempDir dir;
  const auto first = sample_document("b/one.pdf", 1), second = sample_document("a.pdf", 2);
  Store store(dir.file("s"), Mode::write);
  const std::int64_t id = put_with_vectors(store, first);
  EXPECT_EQ(store.find("b/one.pdf")->id, id);
  put_with_vectors(store, second);
  EXPECT_EQ(difference(store, first), "");
  EXPECT_EQ(difference(store, second), "");
  const auto documents = store.documents();
  ASSERT_EQ(documents.size(), 2U);
  EXPECT_EQ(documents[0].doc, "a.pdf");
  EXPECT_EQ(documents[1].path, "/somewhere/b/one.pdf");
  EXPECT_EQ(store.chunk(documents[0].id, 3).chunk, second.chunks[3]);
  EXPECT_EQ(store.outline(documents[0].id).at(1).title, "Sub");
  EXPECT_EQ(store.totals().chunks, 8);
  EXPECT_GT(store.totals().bytes, 1000);
  EXPECT_TRUE(store.verify().empty());
}

TEST(Store, GivesThePrintedLabelsOfPages) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  store.put(sample_document("b.pdf", 2, {.pages = 4}));
  NewDocument document = sample_document("a.pdf", 1, {.pages = 3});
  document.pages[1].label = "ii";
  document.pages[2].label.clear();
  const std::int64_t id = store.put(document);
  EXPECT_EQ(store.page_labels(id), (std::vector<std::string>{"p1", "ii", ""}));
  EXPECT_TRUE(store.page_labels(id + 1).empty());
}

TEST(Store, KeepsItsIdentity) {
  const TempDir dir;
  const std::string id = Store(dir.file("s"), Mode::write).id();
  EXPECT_EQ(id.size(), 32U);
  EXPECT_EQ(Store(dir.file("s"), Mode::read).id(), id);
}

TEST(Store, ReplacesADocumentWhole) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  store.put(sample_document("a.pdf", 1, {.pages = 5}));
  const auto old_id = store.find("a.pdf")->id;
  const auto second = sample_document("a.pdf", 2);
  store.put(second);
  EXPECT_EQ(difference(store, second), "");
  EXPECT_NE(store.find("a.pdf")->id, old_id);
  EXPECT_TRUE(store.verify().empty());
}

TEST(Store, RemovesSeveralDocumentsTogetherAndForgetsFiles) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  for (const char* doc : {"a.pdf", "b.pdf", "c.pdf"}) store.put(sample_document(doc, 1));
  store.put_unread(
      {.doc = "torn.pdf", .path = "/torn.pdf", .settings = "", .stamp = {}, .message = "torn"});
  store.put_unread(
      {.doc = "a.pdf", .path = "/a.pdf", .settings = "", .stamp = {}, .message = "torn since"});
  store.remove_all({"a.pdf", "c.pdf", "torn.pdf", "never.pdf"});
  ASSERT_EQ(store.documents().size(), 1U);
  EXPECT_EQ(store.documents()[0].doc, "b.pdf");
  EXPECT_TRUE(store.unread_files().empty());
  EXPECT_TRUE(store.verify().empty());
}

TEST(Store, CountsWhatEachDocumentHas) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  const auto bare = store.put(sample_document("b.pdf", 1));
  const auto id = put_with_vectors(store, sample_document("a.pdf", 1));
  store.put_document_map(id, {"maker", "{}"});
  const auto counts = store.vector_counts();
  ASSERT_TRUE(counts.contains(id));
  for (const auto& [set, units] : counts.at(id)) EXPECT_GT(units, 0) << set;
  for (const VectorSet& set : store.vector_sets()) EXPECT_TRUE(counts.at(id).contains(set.name));
  EXPECT_FALSE(counts.contains(bare));
  EXPECT_EQ(store.mapped_documents(), std::set<std::int64_t>{id});
}

TEST(Store, RemovesEveryTraceOfADocument) {
  const TempDir dir;
  {
    Store store(dir.file("s"), Mode::write);
    const auto id = put_with_vectors(store, sample_document("a.pdf", 1));
    store.put_page_graph(id, "late", {{}, {{1}, {0}}});
    store.put_document_map(id, {"maker", "{}"});
    store.remove("a.pdf");
    store.remove("never.pdf");
    store.compact();
    EXPECT_TRUE(store.documents().empty());
    EXPECT_TRUE(store.verify().empty());
  }
  Database database(dir.file("s/catalog.sqlite"), OpenAs::reader);
  for (const char* table : {"pages", "elements", "chunks", "pages_of_chunks", "outline", "segments",
                            "vectors", "page_graphs", "document_maps", "pending_postings",
                            "postings_segments", "postings_documents"}) {
    EXPECT_EQ(database.integer(std::string("SELECT COUNT(*) FROM ") + table), 0) << table;
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.file("s/vectors/text")));
}

TEST(Store, RestampsWithoutTouchingTheContent) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  auto document = sample_document("a.pdf", 1);
  store.put(document);
  document.row.stamp = {5, 6};
  document.row.path = "/moved/a.pdf";
  store.restamp(document.row);
  EXPECT_EQ(difference(store, document), "");
  EXPECT_EQ(store.find("a.pdf")->path, "/moved/a.pdf");
}

TEST(Store, StoresADocumentWithoutWords) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  NewDocument document;
  document.row.doc = "blank.pdf";
  document.row.page_count = 1;
  document.pages.resize(1);
  document.pages[0].number = 1;
  document.pages[0].problem = "the worker crashed";
  store.put(document);
  EXPECT_EQ(difference(store, document), "");
  EXPECT_EQ(store.page(store.find("blank.pdf")->id, 1).problem, "the worker crashed");
}

TEST(Store, KnowsTheLanguagesOfItsPages) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  auto document = sample_document("a.pdf", 1, {.pages = 4});
  document.pages[0].language = "zh";
  document.pages[1].language = document.pages[2].language = "de";
  document.row.languages = {"fr"};  // not asked: what the pages say counts
  store.put(document);
  EXPECT_EQ(difference(store, document), "");
  EXPECT_EQ(store.find("a.pdf")->languages, (std::vector<std::string>{"de", "zh"}));
  store.put(sample_document("b.pdf", 2));
  EXPECT_TRUE(store.find("b.pdf")->languages.empty());
  EXPECT_TRUE(store.verify().empty());
}

TEST(Store, RefusesADocumentThatContradictsItself) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  auto document = sample_document("a.pdf", 1);
  document.chunks[0].word_count = 1000;
  EXPECT_TRUE(has(error_of(ErrorCode::internal, [&] { store.put(document); }), "a.pdf"));
  document = sample_document("a.pdf", 1);
  document.fields[0].postings[0] = {{1, 1}, {0, 1}};
  error_of(ErrorCode::internal, [&] { store.put(document); });
  EXPECT_FALSE(store.find("a.pdf"));
}

TEST(Store, LeavesNothingBehindWhenAPutFails) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  const auto before = sample_document("a.pdf", 1);
  put_with_vectors(store, before);
  auto document = sample_document("a.pdf", 2);
  document.fields[0].terms[1] = document.fields[0].terms[0];  // refused by the table's key
  error_of(ErrorCode::store, [&] { store.put(document); });
  EXPECT_EQ(difference(store, before), "");
  EXPECT_TRUE(store.missing_vectors("text").empty());
  EXPECT_TRUE(store.verify().empty());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.file("s/vectors/text")), {}), 1);
}

TEST(Store, NamesTheCommandThatMakesOne) {
  const TempDir dir;
  EXPECT_TRUE(has(error_of(ErrorCode::store, [&] { Store(dir.file("s"), Mode::read); }),
                  "fineprint index"));
}

TEST(Store, LetsOneWriterInAtATime) {
  const TempDir dir;
  const Store first(dir.file("s"), Mode::write);
  EXPECT_TRUE(has(error_of(ErrorCode::store, [&] { Store(dir.file("s"), Mode::write); }),
                  "another process"));
  EXPECT_NO_THROW(Store(dir.file("s"), Mode::read));
}

// A killed run's last child may hold the lock for a moment longer.
TEST(Store, WaitsAMomentForALockThatIsLetGo) {
  const TempDir dir;
  Store(dir.file("store"), Mode::write);
  const int held = open(dir.file("store/writer.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(held, LOCK_EX | LOCK_NB), 0);
  std::thread owner([held] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    close(held);
  });
  EXPECT_NO_THROW(Store(dir.file("store"), Mode::write));
  owner.join();
}

TEST(Store, RefusesNewerStoresAndStrangers) {
  const TempDir dir;
  {
    Store(dir.file("s"), Mode::write);
  }
  change(dir, "PRAGMA user_version = 99");
  for (const Mode mode : {Mode::read, Mode::write}) {
    EXPECT_TRUE(has(error_of(ErrorCode::store, [&] { Store(dir.file("s"), mode); }), "newer"));
  }
  change(dir, "PRAGMA user_version = 1; PRAGMA application_id = 5");
  EXPECT_TRUE(has(error_of(ErrorCode::store, [&] { Store(dir.file("s"), Mode::write); }),
                  "another program"));
  dir.write("s/catalog.sqlite", std::string(5000, 'x'));
  error_of(ErrorCode::store, [&] { Store(dir.file("s"), Mode::read); });
}

TEST(Store, NamesTheDamagedPage) {
  const TempDir dir;
  {
    Store(dir.file("s"), Mode::write).put(sample_document("a.pdf", 1));
  }
  change(dir, "UPDATE pages SET words = CAST(zeroblob(300) AS BLOB) WHERE number = 2");
  const Store store(dir.file("s"), Mode::read);
  const auto id = store.find("a.pdf")->id;
  EXPECT_NO_THROW(store.page(id, 1));
  EXPECT_TRUE(has(error_of(ErrorCode::store, [&] { store.page(id, 2); }), "a.pdf, page 2"));
  EXPECT_TRUE(has(error_of(ErrorCode::store, [&] { store.page(id, 3); }), "a.pdf, page 3"));
  ASSERT_EQ(store.verify().size(), 1U);
  EXPECT_TRUE(has(store.verify()[0], "a.pdf, page 2"));
}

TEST(Store, FindsDamagedElementsAndChunkPages) {
  const TempDir dir;
  {
    Store(dir.file("s"), Mode::write).put(sample_document("a.pdf", 1));
  }
  change(dir, "UPDATE elements SET line_count = 500 WHERE page = 1 AND ordinal = 1");
  Store store(dir.file("s"), Mode::write);
  EXPECT_EQ(store.verify().size(), 1U);
  store.put(sample_document("a.pdf", 1));  // indexing again mends the document
  EXPECT_TRUE(store.verify().empty());
  change(dir, "UPDATE elements SET parent = ordinal WHERE page = 1 AND ordinal = 1");
  EXPECT_EQ(store.verify().size(), 1U);  // who followed the parents would not come to an end
  store.put(sample_document("a.pdf", 1));
  change(dir, "UPDATE pages_of_chunks SET pages = x'0202'");
  ASSERT_EQ(store.verify().size(), 1U);
  EXPECT_TRUE(has(store.verify()[0], "a.pdf"));
  store.put(sample_document("a.pdf", 3));
  EXPECT_TRUE(store.verify().empty());
}

TEST(Store, ReadersKeepTheStateTheyOpened) {
  const TempDir dir;
  Store writer(dir.file("s"), Mode::write);
  const auto first = sample_document("a.pdf", 1);
  put_with_vectors(writer, first);
  const Store reader(dir.file("s"), Mode::read);
  for (unsigned i = 0; i < 40; ++i) {
    put_with_vectors(writer, sample_document(std::to_string(i), i));
  }
  put_with_vectors(writer, sample_document("a.pdf", 2));
  writer.compact();
  EXPECT_TRUE(reader.missing_vectors("late").empty());
  EXPECT_EQ(reader.documents().size(), 1U);
  EXPECT_EQ(difference(reader, first), "");
  EXPECT_EQ(Store(dir.file("s"), Mode::read).documents().size(), 41U);
}

TEST(Store, RefusesToWriteWhenOpenedForReading) {
  const TempDir dir;
  {
    Store(dir.file("s"), Mode::write);
  }
  Store reader(dir.file("s"), Mode::read);
  error_of(ErrorCode::internal, [&] { reader.put(sample_document("a.pdf", 1)); });
  error_of(ErrorCode::internal, [&] { reader.compact(); });
}

}  // namespace
}  // namespace fineprint::store
