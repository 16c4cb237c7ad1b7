// Tests of the dense numbering of pages and of pools of documents.
#include "fineprint/session/corpus.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/ids.h"
#include "support/temp_dir.h"

namespace fineprint::session {
namespace {

store::NewDocument document(const std::string& doc, int pages) {
  store::NewDocument made;
  made.row.doc = doc;
  made.row.path = "/somewhere/" + doc;
  made.row.title = doc;
  made.row.page_count = pages;
  made.info.page_count = pages;
  for (int number = 1; number <= pages; ++number) {
    Page page;
    page.number = number;
    page.label = doc + "#" + std::to_string(number);
    made.pages.push_back(page);
  }
  return made;
}

// Four documents, one of them without pages: 3 + 0 + 1 + 2.
class CorpusTest : public ::testing::Test {
 protected:
  CorpusTest() : store_(dir_.file("store"), store::Mode::write) {
    store_.put(document("b/report.pdf", 1));
    store_.put(document("a.pdf", 3));
    store_.put(document("b/empty.pdf", 0));
    store_.put(document("c/report 2.PDF", 2));
  }

  testing::TempDir dir_;
  store::Store store_;
};

TEST_F(CorpusTest, NumbersPagesOverDocumentsInOrder) {
  const Corpus corpus(store_);
  ASSERT_EQ(corpus.page_count(), 6U);
  const PageRef expected[] = {{"a.pdf", 1},        {"a.pdf", 2},          {"a.pdf", 3},
                              {"b/report.pdf", 1}, {"c/report 2.PDF", 1}, {"c/report 2.PDF", 2}};
  for (PageId page; page.value < corpus.page_count(); ++page) {
    EXPECT_EQ(corpus.ref(page), expected[page.value]);
    const DocumentId owner = corpus.document_of(page);
    EXPECT_EQ(corpus.documents()[owner.value].row.doc, expected[page.value].doc);
    EXPECT_EQ(corpus.page_number(owner, expected[page.value].page), page);
    EXPECT_EQ(corpus.index_of(corpus.documents()[owner.value].row.id), owner);
  }
}

TEST_F(CorpusTest, FindsDocumentsByTheirWholeName) {
  const Corpus corpus(store_);
  EXPECT_EQ(corpus.document_named("a.pdf"), DocumentId(0));
  EXPECT_EQ(corpus.document_named("c/report 2.PDF"), DocumentId(3));
  EXPECT_FALSE(corpus.document_named("report.pdf"));
  EXPECT_FALSE(corpus.document_named("*"));
}

TEST_F(CorpusTest, PoolsHoldWhatTheFilterLeaves) {
  const Corpus corpus(store_, {.docs = {"b/*", "a.pdf"}});
  EXPECT_EQ(corpus.documents().size(), 4U);
  EXPECT_EQ(corpus.page_count(), 6U);
  EXPECT_EQ(corpus.pool({}), testing::ids<DocumentId>({0, 1, 2}));
  EXPECT_EQ(corpus.pool({"*.pdf"}), testing::ids<DocumentId>({0, 1, 2}));
  try {
    corpus.pool({"c/*"});
    FAIL() << "the filter leaves nothing there";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(std::string(error.what()).find("--since"), std::string::npos) << error.what();
  }
  EXPECT_THROW(Corpus(store_, {.docs = {"nowhere.pdf"}}), Error);
}

TEST_F(CorpusTest, AbsolutePathsNameFilesAndFolders) {
  const Corpus corpus(store_);
  EXPECT_EQ(corpus.pool({"/somewhere/b"}), testing::ids<DocumentId>({1, 2}));
  EXPECT_EQ(corpus.pool({"/somewhere/b/"}), testing::ids<DocumentId>({1, 2}));
  EXPECT_EQ(corpus.pool({"/somewhere/b/report.pdf", "/somewhere/a.pdf"}),
            testing::ids<DocumentId>({0, 2}));
  EXPECT_EQ(corpus.pool({"/"}).size(), 4U);
  EXPECT_THROW(corpus.pool({"/somewhere/b/rep"}), Error);  // a part of a name is none
  EXPECT_THROW(corpus.pool({"/report.pdf"}), Error);
}

TEST_F(CorpusTest, ReadsThePageItNumbers) {
  const Corpus corpus(store_);
  EXPECT_EQ(corpus.page(PageId(3)).label, "b/report.pdf#1");
  EXPECT_EQ(corpus.page(PageId(5)).label, "c/report 2.PDF#2");
}

TEST_F(CorpusTest, APageThatDoesNotExistIsAMistake) {
  const Corpus corpus(store_);
  EXPECT_THROW(corpus.ref(PageId(6)), Error);
}

TEST_F(CorpusTest, PoolsByPathNameAndGlob) {
  const Corpus corpus(store_);  // 0 a.pdf, 1 b/empty.pdf, 2 b/report.pdf, 3 c/report 2.PDF
  EXPECT_EQ(corpus.pool({}), testing::ids<DocumentId>({0, 1, 2, 3}));
  EXPECT_EQ(corpus.pool({"b/report.pdf"}), testing::ids<DocumentId>({2}));
  EXPECT_EQ(corpus.pool({"report.pdf"}), testing::ids<DocumentId>({2}));
  EXPECT_EQ(corpus.pool({"b/*"}), testing::ids<DocumentId>({1, 2}));
  EXPECT_EQ(corpus.pool({"report*"}), testing::ids<DocumentId>({2, 3}));
  EXPECT_EQ(corpus.pool({"report*", "a.pdf", "a.*"}), testing::ids<DocumentId>({0, 2, 3}));
}

TEST_F(CorpusTest, NamesThePatternThatMatchesNothing) {
  const Corpus corpus(store_);
  try {
    corpus.pool({"a.pdf", "missing.pdf"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(std::string(error.what()).find("missing.pdf"), std::string::npos);
  }
}

TEST(EmptyCorpus, HasNoPages) {
  const testing::TempDir dir;
  const store::Store store(dir.file("store"), store::Mode::write);
  const Corpus corpus(store);
  EXPECT_EQ(corpus.page_count(), 0U);
  EXPECT_TRUE(corpus.pool({}).empty());
}

}  // namespace
}  // namespace fineprint::session
