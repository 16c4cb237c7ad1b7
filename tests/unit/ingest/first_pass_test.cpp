// A first pass that leaves OCR and vectors to a later run, and what an answer needs of it.
#include <algorithm>

#include <gtest/gtest.h>

#include "fineprint/ingest/soon.h"

#include "ingest_fixture.h"

namespace fineprint::ingest::testing {
namespace {

class FirstPass : public IngestTest {
 protected:
  FirstPass() {
    options_.read.ocr = documents::OcrMode::automatic;
    add("docs/rotated-table.pdf", "table.pdf");
    add("docs/scanned-letter.pdf", "letter.pdf");
  }

  IngestReport first_pass() {
    options_.defer_ocr = options_.texts_only = true;
    IngestReport report = run();
    options_.defer_ocr = options_.texts_only = false;
    return report;
  }
  store::DocumentRow row(const std::string& doc) const { return reader().find(doc).value(); }
  std::size_t words_of(const std::string& doc) const {
    const store::Store store(dir_.file("s"), store::Mode::read);
    return store.page(store.find(doc)->id, 1).words.size();
  }
  std::vector<std::string> likely(const std::string& question, std::int64_t most,
                                  const std::vector<std::string>& within = {}) const {
    const store::Store store(dir_.file("s"), store::Mode::read);
    std::vector<std::string> names;
    for (const std::string& path : likely_documents(store, question, within, most).paths) {
      names.push_back(path.substr(path.rfind('/') + 1));
    }
    return names;
  }
};

TEST_F(FirstPass, LeavesOcrAndVectorsToTheNextRun) {
  const IngestReport first = first_pass();
  EXPECT_EQ(first.indexed, 2);
  EXPECT_EQ(first.ocr_pages, 0);
  EXPECT_GT(first.waiting_pages, 0);
  EXPECT_GT(first.lacking_chunks, 0);
  EXPECT_EQ(first.lacking_others, 0);
  EXPECT_TRUE(first.failures.empty());
  EXPECT_EQ(counts_.loads, 0);
  EXPECT_EQ(sets(), std::vector<std::string>{"text"});
  EXPECT_EQ(row("letter.pdf").waiting_pages, first.waiting_pages);
  EXPECT_EQ(row("table.pdf").waiting_pages, 0);
  EXPECT_EQ(words_of("letter.pdf"), 0U);
  EXPECT_EQ(rest_of(reader()).pages, first.waiting_pages);
  EXPECT_EQ(rest_of(reader()).chunks, first.lacking_chunks);

  const IngestReport second = run();
  EXPECT_EQ(second.unchanged, 1);
  EXPECT_EQ(second.indexed, 1);
  EXPECT_EQ(second.ocr_pages, first.waiting_pages);
  EXPECT_EQ(row("letter.pdf").waiting_pages, 0);
  EXPECT_GT(words_of("letter.pdf"), 10U);
  EXPECT_FALSE(rest_of(reader()).any());
  EXPECT_EQ(run().unchanged, 2);
}

TEST_F(FirstPass, IsNotRepeated) {
  first_pass();
  EXPECT_EQ(first_pass().unchanged, 2);
  run();
  EXPECT_EQ(first_pass().unchanged, 2);  // nor does it take back what was read since
  EXPECT_EQ(row("letter.pdf").waiting_pages, 0);
}

TEST_F(FirstPass, MakesTheSameStoreInTheEnd) {
  first_pass();
  run();
  const auto in_two = vectors("text");
  std::filesystem::remove_all(dir_.file("s"));
  run();
  EXPECT_EQ(vectors("text"), in_two);
}

TEST_F(FirstPass, ReadsOnlyWhatIsAskedFor) {
  options_.within = {dir_.file("in/table.pdf")};
  EXPECT_EQ(run().files, 1);
  EXPECT_EQ(names(), std::vector<std::string>{"table.pdf"});
  // What lies elsewhere is neither read nor dropped.
  options_.within.clear();
  run();
  std::filesystem::remove(dir_.file("in/letter.pdf"));
  options_.within = {dir_.file("in/table.pdf")};
  options_.prune = true;
  EXPECT_EQ(run().removed, 0);
  options_.within = {dir_.file("in")};
  EXPECT_EQ(run().removed, 1);
}

TEST_F(FirstPass, OcrThatIsForcedOrOffIsNotPutOff) {
  options_.read.ocr = documents::OcrMode::never;
  EXPECT_EQ(first_pass().waiting_pages, 0);
}

TEST_F(FirstPass, TellsTheDocumentThatAQuestionNeeds) {
  add("docs/slides-no-text.pdf", "lamp slides.pdf");
  first_pass();
  EXPECT_EQ(likely("What do the lamp slides say?", 100),
            (std::vector<std::string>{"lamp slides.pdf", "letter.pdf"}));
  EXPECT_EQ(likely("Who wrote the letter?", 100),
            (std::vector<std::string>{"letter.pdf", "lamp slides.pdf"}));
  EXPECT_EQ(likely("Who wrote the letter?", 100, {dir_.file("in/lamp slides.pdf")}),
            std::vector<std::string>{"lamp slides.pdf"});
  EXPECT_TRUE(likely("Who wrote the letter?", 0).empty());
  // Its two pages are more than one; the slides hold none of the words.
  EXPECT_EQ(likely("Who wrote the letter?", 1), std::vector<std::string>{"letter.pdf"});
  EXPECT_TRUE(likely("Who said so?", 1).empty());
  // Where there is no text at all, something must be read.
  EXPECT_EQ(likely("Who wrote the letter?", 0, {dir_.file("in/letter.pdf")}),
            std::vector<std::string>{"letter.pdf"});
}

}  // namespace
}  // namespace fineprint::ingest::testing
