// Documents some of whose pages wait for OCR, or have hidden text.
#include <gtest/gtest.h>

#include "fineprint/store/store.h"

#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

NewDocument document(int waiting) {
  NewDocument made;
  made.row.doc = made.row.title = "a.pdf";
  made.row.path = "/somewhere/a.pdf";
  made.row.settings = "1f3a";
  made.row.page_count = made.info.page_count = 2;
  made.row.waiting_pages = waiting;
  made.pages.resize(2);
  for (int i = 0; i < 2; ++i) made.pages[static_cast<std::size_t>(i)].number = i + 1;
  return made;
}

TEST(WaitingPages, AreKeptBesideTheSettings) {
  const fineprint::testing::TempDir dir;
  Store store(dir.file("s"), Mode::write);
  store.put(document(2));
  EXPECT_EQ(store.find("a.pdf")->waiting_pages, 2);
  EXPECT_EQ(store.find("a.pdf")->settings, "1f3a");
  DocumentRow moved = *store.find("a.pdf");
  moved.path = "/elsewhere/a.pdf";
  moved.waiting_pages = 0;
  store.restamp(moved);
  EXPECT_EQ(store.documents().front().waiting_pages, 2);
  EXPECT_EQ(store.documents().front().path, "/elsewhere/a.pdf");
  EXPECT_EQ(store.verify(), std::vector<std::string>());
  store.put(document(0));
  EXPECT_EQ(store.find("a.pdf")->waiting_pages, 0);
  EXPECT_EQ(store.find("a.pdf")->settings, "1f3a");
}

TEST(HiddenWords, AreCountedWithTheSettings) {
  const fineprint::testing::TempDir dir;
  Store store(dir.file("s"), Mode::write);
  for (const int waiting : {0, 1}) {
    NewDocument made = document(waiting);
    made.row.hidden_words = 40;
    made.row.hidden_pages = 1;
    made.pages[1].hidden = "white on white";
    store.put(made);
    const DocumentRow row = *store.find("a.pdf");
    EXPECT_EQ(row.settings, "1f3a");
    EXPECT_EQ(row.waiting_pages, waiting);
    EXPECT_EQ(row.hidden_words, 40);
    EXPECT_EQ(row.hidden_pages, 1);
    EXPECT_EQ(store.page(row.id, 1).hidden, "");
    EXPECT_EQ(store.page(row.id, 2).hidden, "white on white");
  }
  EXPECT_EQ(store.verify(), std::vector<std::string>());
}

}  // namespace
}  // namespace fineprint::store
