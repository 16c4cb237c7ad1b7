// Stores of parts become the store of the whole.
#include "fineprint/ingest/join.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "ingest_fixture.h"

namespace fineprint::ingest::testing {
namespace {

namespace fs = std::filesystem;

class Join : public IngestTest {
 protected:
  Join() {
    options_.scorers = {"bm25"};
    add("docs/rotated-table.pdf", "a.pdf");
    add("docs/reef-survey-paper.pdf", "b.pdf");
    add("docs/rotated-table.pdf", "c.pdf");
  }

  // Indexes the documents of these names alone, into a store of its own, whose folder is returned.
  std::string part(const std::string& name, const std::vector<std::string>& docs) {
    const IngestOptions before = options_;
    options_.wanted = [docs](const std::string& doc) {
      return std::ranges::find(docs, doc) != docs.end();
    };
    run();
    options_ = before;
    fs::rename(dir_.file("s"), dir_.file(name));
    return dir_.file(name);
  }

  JoinReport join(const std::vector<std::string>& parts) {
    store::Store into(dir_.file("s"), store::Mode::write);
    return join_stores(parts, into);
  }
};

// Everything that a search looks at.
void expect_same(const store::Store& whole, const store::Store& joined) {
  const auto there = whole.documents(), here = joined.documents();
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < there.size(); ++i) {
    EXPECT_EQ(here[i].doc, there[i].doc);
    EXPECT_EQ(here[i].title, there[i].title);
    EXPECT_EQ(here[i].settings, there[i].settings);
    EXPECT_EQ(here[i].stamp, there[i].stamp);
    EXPECT_EQ(here[i].languages, there[i].languages);
    ASSERT_EQ(here[i].page_count, there[i].page_count);
    for (int page = 1; page <= there[i].page_count; ++page) {
      const Page copy = joined.page(here[i].id, page), original = whole.page(there[i].id, page);
      EXPECT_EQ(copy.words, original.words);
      EXPECT_EQ(copy.lines, original.lines);
      EXPECT_EQ(copy.elements, original.elements);
      EXPECT_EQ(copy.label, original.label);
      EXPECT_EQ(copy.language, original.language);
    }
    const auto chunks = whole.chunks(there[i].id), own = joined.chunks(here[i].id);
    ASSERT_EQ(own.size(), chunks.size());
    for (std::size_t c = 0; c < chunks.size(); ++c) EXPECT_EQ(own[c].chunk, chunks[c].chunk);
    EXPECT_EQ(joined.document_map(here[i].id).has_value(),
              whole.document_map(there[i].id).has_value());
    for (const store::VectorSet& set : whole.vector_sets()) {
      EXPECT_EQ(joined.page_graph(here[i].id, set.name).has_value(),
                whole.page_graph(there[i].id, set.name).has_value());
    }
  }
  EXPECT_EQ(joined.totals().pages, whole.totals().pages);
  EXPECT_TRUE(joined.verify().empty());
}

TEST_F(Join, PartsAreTheWholeWithAllThatItHas) {
  options_.retrievers = {"late", "text:default"};
  options_.map = "heuristic";
  const std::string first = part("first", {"b.pdf"}), second = part("second", {"a.pdf", "c.pdf"});
  run();
  const auto late = vectors("late"), text = vectors("text");
  fs::rename(dir_.file("s"), dir_.file("whole"));
  const JoinReport report = join({first, second});
  EXPECT_EQ(report.documents, 3);
  EXPECT_EQ(report.known, 0);
  EXPECT_EQ(report.lacking, 0);
  EXPECT_EQ(vectors("late"), late);
  EXPECT_EQ(vectors("text"), text);
  expect_same({dir_.file("whole"), store::Mode::read}, reader());
  // And the next run finds nothing to do.
  EXPECT_EQ(run().unchanged, 3);
}

TEST_F(Join, VectorsOfEveryFormatAreTheSame) {
  using Type = score::VectorType;
  for (const store::VectorFormat format :
       {store::VectorFormat{Type::f16, false}, store::VectorFormat{Type::bf16, false},
        store::VectorFormat{Type::i8, false}, store::VectorFormat{Type::i8, true}}) {
    options_.retrievers = {"late"};
    options_.vector_format = format;
    const std::string first = part("first", {"b.pdf"}), second = part("second", {"a.pdf", "c.pdf"});
    run();
    const auto late = vectors("late");
    fs::remove_all(dir_.file("s"));
    join({first, second});
    const auto joined = vectors("late");
    ASSERT_EQ(joined.size(), late.size());
    for (const auto& [unit, values] : late) {
      ASSERT_EQ(joined.at(unit).size(), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_FLOAT_EQ(joined.at(unit)[i], values[i]) << store::to_string(format);
      }
    }
    for (const char* name : {"first", "second", "s"}) fs::remove_all(dir_.file(name));
  }
}

TEST_F(Join, GoesOnWhereItWasStoppedAndTakesWhatIsTheSameOnce) {
  options_.retrievers = {"late"};
  const std::string first = part("first", {"a.pdf", "b.pdf"});
  const std::string second = part("second", {"b.pdf", "c.pdf"});
  join({first});
  const JoinReport report = join({first, second});
  EXPECT_EQ(report.documents, 1);
  EXPECT_EQ(report.known, 3);
  EXPECT_EQ(names(), (std::vector<std::string>{"a.pdf", "b.pdf", "c.pdf"}));
  EXPECT_EQ(report.lacking, 0);
  EXPECT_TRUE(reader().verify().empty());
}

TEST_F(Join, SaysWhatLacksVectors) {
  const std::string second = part("second", {"a.pdf"});
  options_.retrievers = {"late"};
  const std::string first = part("first", {"b.pdf"});
  EXPECT_EQ(join({first, second}).lacking, 2);
}

TEST_F(Join, UnlikeDocumentsOfOneNameAreRefusedBeforeAnythingIsWritten) {
  const std::string first = part("first", {"a.pdf", "b.pdf"});
  fs::copy_file(dir_.file("in/b.pdf"), dir_.file("in/a.pdf"), fs::copy_options::overwrite_existing);
  const std::string second = part("second", {"a.pdf"});
  try {
    join({first, second});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    for (const char* part : {"a.pdf", "first", "second"}) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  EXPECT_TRUE(names().empty());
}

TEST_F(Join, SetsOfOneNameByOtherModelsAreRefused) {
  options_.retrievers = {"late"};
  const std::string first = part("first", {"a.pdf"});
  options_.retrievers = {"late:b"};
  const std::string second = part("second", {"b.pdf"});
  EXPECT_THROW(join({first, second}), Error);
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace fineprint::ingest::testing
