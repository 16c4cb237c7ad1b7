// Elements of maps ranked beside pages.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/retrieve/search.h"

#include "support/fake_encoders.h"
#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

using testing::Rows;

// "page 1 0.90", "element 0 0.95": what was found, by dense numbers, with the fused score.
std::vector<std::string> said(const std::vector<FoundUnit>& found) {
  std::vector<std::string> out;
  for (const FoundUnit& unit : found) {
    char text[64];
    std::snprintf(text, sizeof text, "%s %u %.2f", unit.element ? "element" : "page",
                  unit.element ? unit.element->value : unit.page.value, unit.score);
    out.emplace_back(text);
  }
  return out;
}

using Said = std::vector<std::string>;

std::vector<float> toward(double score) {
  return {static_cast<float>(score), static_cast<float>(std::sqrt(1 - score * score))};
}

// Pages 0 and 1 of a.pdf with elements 0 (on page 1) and 1 (on page 0), page 2 of b.pdf with
// element 2. Every question is (1, 0): the first value of a vector is its score.
class ElementSearch : public ::testing::Test {
 protected:
  ElementSearch() {
    a_ = store_.put("a.pdf", {testing::typed_page({"gamma"}), testing::typed_page({"beta"})});
    b_ = store_.put("b.pdf", {testing::typed_page({"alpha"})});
    store_.put_map(a_, {"maker", R"({"map":"a"})", {2, 1}});
    store_.put_map(b_, {"maker", R"({"map":"b"})", {1}});
    for (const std::string kind : {"page", "late", "text", "late-text"}) add_set(kind);
  }

  static store::VectorSet set(const std::string& kind) {
    store::VectorSet set;
    set.name = set.kind = set.model = set.hash = set.spec = kind;
    set.unit = kind.ends_with("text") ? store::VectorUnit::chunk : store::VectorUnit::page;
    set.many_vectors = kind.starts_with("late");
    set.dim = 2;
    return set;
  }

  void add_set(const std::string& kind) {
    store_.register_set(set(kind));
    store_.put_vectors(kind, a_, {{toward(0.2)}, {toward(0.9)}});
    store_.put_vectors(kind, b_, {{toward(0.5)}});
  }

  void add_elements(const std::string& kind, const store::VectorFormat& format = {}) {
    store::VectorSet beside = set(kind);
    beside.name = beside.kind = store::elements_set(kind);
    beside.unit = store::VectorUnit::element;
    beside.format = format;
    store_.register_set(beside);
    store_.put_vectors(beside.name, a_, {{toward(0.95)}, {toward(0.3)}});
    store_.put_vectors(beside.name, b_, {{toward(0.1)}});
  }

  testing::Asking& asking(const std::string& question) {
    std::map<std::string, testing::FakeModel> models;
    for (const std::string kind : {"page", "late", "text", "late-text"}) {
      models[kind] = {kind, {{question, {{1, 0}}}}};
    }
    return asking_.emplace(store_, std::make_unique<testing::FakeEncoders>(std::move(models)));
  }

  Said find(const SearchOptions& options, const std::string& question = "what?") {
    return said(search_with_elements(asking(question).context(), question, options));
  }

  // Of a search, and of what is looked at before one.
  void expect_refused(const SearchOptions& options, const std::string& words) {
    for (const bool before : {false, true}) {
      try {
        session::Context& context = asking("what?").context();
        if (before) {
          require_elements(context.session, options);
        } else {
          search_with_elements(context, "what?", options);
        }
        ADD_FAILURE() << "nothing was thrown";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::store);
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      }
    }
  }

  testing::SmallStore store_;
  std::int64_t a_ = 0, b_ = 0;
  std::optional<testing::Asking> asking_;
};

SearchOptions by(const std::vector<std::string>& scorers, int k = 10) {
  SearchOptions options;
  options.scorers = scorers;
  options.k = k;
  return options;
}

TEST_F(ElementSearch, RanksBothByOneScale) {
  for (const std::string kind : {"page", "late", "text", "late-text"}) {
    add_elements(kind);
    EXPECT_EQ(find(by({kind})), (Said{"element 0 0.95", "page 1 0.90", "page 2 0.50",
                                      "element 1 0.30", "page 0 0.20", "element 2 0.10"}))
        << kind;
    EXPECT_EQ(find(by({kind}, 2)), (Said{"element 0 0.95", "page 1 0.90"})) << kind;
  }
}

TEST_F(ElementSearch, NamesThePageOfAnElement) {
  add_elements("late");
  const auto found = search_with_elements(asking("what?").context(), "what?", by({"late"}, 1));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].page, PageId(1));
  EXPECT_EQ(found[0].element, ElementId(0));
}

TEST_F(ElementSearch, RanksEachPageOnceByItsBestUnit) {
  add_elements("late");
  const auto units =
      search_with_elements_ranked(asking("what?").context(), "what?", by({"late"}, 1));
  ASSERT_EQ(units.found.size(), 1U);
  std::string ranking;
  for (const RankedPage& page : units.ranking) {
    ranking += std::to_string(page.page.value) + format(" {:.2f} ", page.score);
  }
  EXPECT_EQ(ranking, "1 0.95 2 0.50 0 0.30 ");
}

TEST_F(ElementSearch, KeepsToThePool) {
  add_elements("late");
  SearchOptions options = by({"late"});
  options.docs = {"b.pdf"};
  EXPECT_EQ(find(options), (Said{"page 2 0.50", "element 2 0.10"}));
}

// What is found by codes is scored by the originals.
TEST_F(ElementSearch, IsExactOverCodes) {
  add_elements("late", {score::VectorType::i8, true});
  EXPECT_EQ(find(by({"late"}, 4)),
            (Said{"element 0 0.95", "page 1 0.90", "page 2 0.50", "element 1 0.30"}));
}

TEST_F(ElementSearch, OfAPageThatTheQuestionNamesGainItsBonus) {
  add_elements("late");
  EXPECT_EQ(find(by({"late"}, 3), "What is on page 1?"),
            (Said{"element 0 0.95", "page 1 0.90", "page 2 0.80"}));
  SearchOptions options = by({"late"});
  options.docs = {"a.pdf"};
  EXPECT_EQ(find(options, "What is on page 1?"),
            (Said{"element 0 0.95", "page 1 0.90", "element 1 0.60", "page 0 0.50"}));
}

TEST_F(ElementSearch, WordsRankPagesAlone) {
  add_elements("text");
  EXPECT_EQ(find(by({"bm25"}), "gamma").size(), 1U);
  // The element has no score by words: that of its vectors stands alone.
  const Said found = find(by({"bm25", "text:0.5"}, 2), "alpha");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].substr(0, 7), "page 2 ");
  EXPECT_EQ(found[1].substr(0, 10), "element 0 ");
}

TEST_F(ElementSearch, WithoutVectorsOfElementsIsRefusedWithTheRemedy) {
  expect_refused(by({"late"}), "--elements");
  expect_refused(by({"late"}), "\"late-elements\" of figures, tables and charts");
  add_elements("late");
  expect_refused(by({"late", "text"}), "text-elements");
  expect_refused(by({"late-2"}), "--retriever");  // there are none of pages
  EXPECT_NO_THROW(require_elements(asking("what?").context().session, by({"bm25", "late"})));
}

TEST_F(ElementSearch, WithoutVectorsOfElementsFallsBackOnPagesAndSaysSo) {
  add_elements("text");
  SearchOptions options = by({"late", "text"});
  options.substitute = true;
  const Said found = find(options);
  EXPECT_EQ(std::ranges::count_if(found, [](const auto& one) { return one.starts_with("page"); }),
            3);
  EXPECT_EQ(found.size(), 6U);  // those by text are ranked all the same
  EXPECT_EQ(asking_->context().fallback,
            "late: the store lacks these vectors of figures, tables and charts, so only pages are "
            "ranked");
  EXPECT_NE(asking_->trace().to_json().find(R"("step":"fallback")"), std::string::npos);
  EXPECT_NO_THROW(require_elements(asking_->context().session, options));
  options.scorers = {"text"};
  find(options);
  EXPECT_EQ(asking_->context().fallback, "");
}

TEST_F(ElementSearch, OfAnEmptyStoreFindsNothing) {
  const testing::SmallStore empty;
  testing::Asking nothing(empty);
  EXPECT_TRUE(search_with_elements(nothing.context(), "what?", by({"late"})).empty());
  EXPECT_NO_THROW(require_elements(nothing.context().session, by({"late"})));
}

}  // namespace
}  // namespace fineprint::retrieve
