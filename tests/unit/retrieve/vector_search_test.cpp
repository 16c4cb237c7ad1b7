// Scorers over vectors: by hand, and against float64 over random pages.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/retrieve/search.h"

#include "support/fake_encoders.h"
#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

using testing::Rows;
using Pages = std::vector<std::uint32_t>;

Pages pages_of(const std::vector<FoundPage>& found) {
  Pages pages;
  for (const FoundPage& page : found) pages.push_back(page.page.value);
  return pages;
}

SearchOptions by(const std::string& scorer) {
  SearchOptions options;
  options.scorers = {scorer};
  return options;
}

double part(const FoundPage& page, const std::string& scorer) {
  for (const NamedScore& score : page.scores) {
    if (score.scorer == scorer) return score.score;
  }
  return std::nan("");
}

// Pages 0 and 1 of a.pdf, 2 and 3 of b.pdf; the last has no vectors.
class VectorSearchTest : public ::testing::Test {
 protected:
  VectorSearchTest() {
    Page two;
    testing::type_element(&two, ElementKind::paragraph, {"alpha"});
    testing::type_element(&two, ElementKind::paragraph, {"beta"});
    const Page one = testing::typed_page({"gamma"});
    a_ = store_.put("a.pdf", {one, two});
    b_ = store_.put("b.pdf", {one, one});
    store_.register_set("page", store::VectorUnit::page, 2);
    store_.put_vectors("page", a_, {{{0, 1}}, {{1, 0}}});
    store_.put_vectors("page", b_, {{{0.6F, 0.8F}}});
    store_.register_set("text", store::VectorUnit::chunk, 2);
    store_.put_vectors("text", a_, {{{0, 1}}, {{0.6F, 0.8F}}, {{1, 0}}});
    store_.put_vectors("text", b_, {{{0.8F, 0.6F}}});
    for (const std::string kind : {"late", "late-text"}) {
      const bool text = kind == "late-text";
      store_.register_set(kind, text ? store::VectorUnit::chunk : store::VectorUnit::page, 2, true);
      Rows first{{1, 0}, {0, 1}};
      if (text) {
        store_.put_vectors(kind, a_, {first, {{0, 1}}, {{1, 0}, {1, 0}}});
      } else {
        store_.put_vectors(kind, a_, {first, {{1, 0}, {1, 0}, {0.6F, 0.8F}}});
      }
      store_.put_vectors(kind, b_, {{{-1, 0}}});
    }
  }

  std::vector<FoundPage> find(const SearchOptions& options, const std::string& question = "what?") {
    // Of "gamma", the last chunk has no vector: the search makes it.
    testing::FakeModel one{"", {{question, {{1, 0}}}, {"gamma", {{0.28F, 0.96F}}}}};
    testing::FakeModel many{"", {{question, {{1, 0}, {0, 1}}}}};
    std::map<std::string, testing::FakeModel> models;
    // The sets remember no SPEC, so that "" opens all: its hash is made to fit the set asked for.
    const std::string scorer = options.scorers.front().substr(0, options.scorers.front().find(':'));
    testing::FakeModel model = scorer.starts_with("late") ? many : one;
    model.hash = scorer == "hybrid-mask" ? "page" : scorer;
    model.trained_mask = trained_mask_;
    models[""] = model;
    asking_.emplace(store_, std::make_unique<testing::FakeEncoders>(std::move(models)));
    return search(asking_->context(), question, options);
  }

  // Chunks with the scores that find() would rank their pages by.
  std::vector<FoundChunk> find_chunks(const SearchOptions& options) {
    find(options);
    return search_chunks(asking_->context(), "what?", options);
  }

  testing::SmallStore store_;
  std::int64_t a_ = 0, b_ = 0;
  bool trained_mask_ = false;  // of the encoder that find() asks
  std::optional<testing::Asking> asking_;
};

// The score is the product of the weights, over the page's best chunk.
TEST(SparseSearch, MultipliesWeightsOfTokens) {
  testing::SmallStore store;
  Page two;
  testing::type_element(&two, ElementKind::paragraph, {"alpha"});
  testing::type_element(&two, ElementKind::paragraph, {"beta"});
  const std::int64_t a = store.put("a.pdf", {testing::typed_page({"gamma"}), two});
  const std::int64_t b = store.put("b.pdf", {testing::typed_page({"delta"})});
  store.put("c.pdf", {testing::typed_page({"delta"})});
  store.register_set("sparse", store::VectorUnit::chunk, 100, true);
  store.put_vectors("sparse", a, {{{5, 1}, {9, 0.5F}}, {{5, 2}}, {{9, 3}, {70, 1}}});
  store.put_vectors("sparse", b, {{{70, 2}}});
  std::map<std::string, testing::FakeModel> models;
  models[""] = {"sparse", {{"which", {{5, 1}, {9, 2}, {80, 4}}}}};
  testing::Asking asking(store, std::make_unique<testing::FakeEncoders>(std::move(models)));
  const auto found = search(asking.context(), "which", by("sparse"));
  // Page 1: max(2 * 1, 3 * 2). Page 0: 1 + 1. b.pdf has no token of the question, c.pdf no vectors.
  ASSERT_EQ(pages_of(found), (Pages{1, 0}));
  EXPECT_NEAR(part(found[0], "sparse"), 6, 1e-6);
  EXPECT_NEAR(part(found[1], "sparse"), 2, 1e-6);
  // The most that any chunk could have is 2 * 1 + 3 * 2.
  EXPECT_NEAR(found[0].score, 6.0 / 8, 1e-6);
}

// A model over page images: pages are ranked by their own weights.
TEST(SparseSearch, RanksPagesByTheirImages) {
  testing::SmallStore store;
  const std::int64_t a =
      store.put("a.pdf", {testing::typed_page({"gamma"}), testing::typed_page({"alpha"})});
  const std::int64_t b = store.put("b.pdf", {testing::typed_page({"delta"})});
  store.put("c.pdf", {testing::typed_page({"delta"})});
  store.register_set("sparse", store::VectorUnit::page, 100, true);
  store.put_vectors("sparse", a, {{{5, 1}, {9, 0.5F}}, {{9, 3}, {70, 1}}});
  store.put_vectors("sparse", b, {{{5, 4}}});
  std::map<std::string, testing::FakeModel> models;
  models[""] = {"sparse", {{"which", {{5, 1}, {9, 2}, {80, 4}}}}};
  testing::Asking asking(store, std::make_unique<testing::FakeEncoders>(std::move(models)));
  const auto found = search(asking.context(), "which", by("sparse"));
  ASSERT_EQ(pages_of(found), (Pages{1, 2, 0}));  // 3 * 2, 4 * 1, 1 + 1
  EXPECT_NEAR(part(found[0], "sparse"), 6, 1e-6);
  EXPECT_NEAR(part(found[1], "sparse"), 4, 1e-6);
  EXPECT_NEAR(part(found[2], "sparse"), 2, 1e-6);
  // The most that any page could have is 4 * 1 + 3 * 2.
  EXPECT_NEAR(found[0].score, 6.0 / 10, 1e-6);
  EXPECT_FALSE(found[0].chunk);
  EXPECT_THROW(search_chunks(asking.context(), "which", by("sparse")), Error);
}

TEST_F(VectorSearchTest, ChunksByMeaning) {
  std::vector<FoundChunk> found = find_chunks(by("text"));
  ASSERT_EQ(found.size(), 5U);
  const Pages chunks = {found[0].chunk.value, found[1].chunk.value, found[2].chunk.value,
                        found[3].chunk.value, found[4].chunk.value};
  EXPECT_EQ(chunks, (Pages{2, 3, 1, 4, 0}));
  EXPECT_FLOAT_EQ(static_cast<float>(found[3].score), 0.28F);
  EXPECT_EQ(found[2].page, PageId(1));
  EXPECT_FLOAT_EQ(static_cast<float>(found[2].score), 0.6F);
  found = find_chunks(by("late-text"));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].chunk, ChunkId(0));
  EXPECT_FLOAT_EQ(static_cast<float>(found[0].score), 1);
  EXPECT_EQ(found[1].chunk, ChunkId(1));
  EXPECT_FLOAT_EQ(static_cast<float>(found[1].score), 0.5);
  EXPECT_EQ(found[3].chunk, ChunkId(3));
}

TEST_F(VectorSearchTest, NearTokensLimitThePages) {
  SearchOptions options = by("late");
  options.late_tokens = 1;  // the first vectors of page 0 are those nearest, or as near as others
  EXPECT_EQ(pages_of(find(options)), (Pages{0}));
  options.late_tokens = 2;  // page 1 has one as near as its, and the second best of the other
  const std::vector<FoundPage> found = find(options);
  EXPECT_EQ(pages_of(found), (Pages{0, 1}));
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[1], "late")), 1.8F);
  options.docs = {"b.pdf"};
  options.late_tokens = 1;
  EXPECT_EQ(pages_of(find(options)), (Pages{2}));
  options.late_rescore = false;
  EXPECT_FLOAT_EQ(static_cast<float>(part(find(options)[0], "late")), -1);
}

// Three pages and a question of three vectors, k = 1: each votes for the page of its nearest
// vector.
TEST(NearTokens, OneIsAVoteAToken) {
  testing::SmallStore store;
  const Page page = testing::typed_page({"x"});
  const std::int64_t document = store.put("a.pdf", {page, page, page});
  store.register_set("late", store::VectorUnit::page, 3, true);
  store.put_vectors("late", document,
                    {{{1, 0, 0}, {0, 1, 0}}, {{0.5F, 0, 0}, {0, 0, 0.9F}}, {{0.8F, 0.6F, 0}}});
  testing::FakeModel model{"late", {{"what?", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}};
  testing::Asking asking(store, std::make_unique<testing::FakeEncoders>(
                                    std::map<std::string, testing::FakeModel>{{"", model}}));
  SearchOptions options = by("late");
  options.late_tokens = 1;
  options.late_rescore = false;
  std::vector<FoundPage> found = search(asking.context(), "what?", options);
  EXPECT_EQ(pages_of(found), (Pages{0, 1}));
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[0], "late")), 2);
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[1], "late")), 0.9F);
  options.late_rescore = true;
  found = search(asking.context(), "what?", options);
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[1], "late")), 1.4F);
  options.late_rescore = false;
  options.late_tokens = 2;  // 0.8 and 0.6 of the last page, and one of the zeros of the third token
  found = search(asking.context(), "what?", options);
  EXPECT_EQ(pages_of(found), (Pages{0, 2, 1}));
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[1], "late")), 1.4F);
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[0], "late")), 2);  // tie at 0: the lower page
}

TEST_F(VectorSearchTest, PagesByCosine) {
  const std::vector<FoundPage> found = find(by("page"));
  EXPECT_EQ(pages_of(found), (Pages{1, 2, 0}));  // page 3 has no vector
  EXPECT_FLOAT_EQ(static_cast<float>(found[1].score), 0.6F);
  EXPECT_FALSE(found[0].chunk.has_value());
  SearchOptions options = by("page");
  options.docs = {"b.pdf"};
  EXPECT_EQ(pages_of(find(options)), (Pages{2}));
}

TEST_F(VectorSearchTest, TextByTheBestChunk) {
  const std::vector<FoundPage> found = find(by("text"));
  EXPECT_EQ(pages_of(found), (Pages{1, 2, 3, 0}));
  EXPECT_EQ(found[0].chunk, ChunkId(2));
  EXPECT_FLOAT_EQ(static_cast<float>(found[0].score), 1);
}

TEST_F(VectorSearchTest, LateSumsTheBestOfEachVector) {
  const std::vector<FoundPage> found = find(by("late"));
  EXPECT_EQ(pages_of(found), (Pages{0, 1, 2}));
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[0], "late")), 2);
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[1], "late")), 1.8F);
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[2], "late")), -1);
  EXPECT_FLOAT_EQ(static_cast<float>(found[1].score), 0.9F);  // a mean, so that it adds to others
}

TEST_F(VectorSearchTest, LateTextTakesTheBestChunk) {
  const std::vector<FoundPage> found = find(by("late-text"));
  EXPECT_EQ(pages_of(found), (Pages{0, 1, 2}));
  EXPECT_EQ(found[1].chunk, ChunkId(1));  // both chunks reach 1; the first stands
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[1], "late-text")), 1);
}

TEST_F(VectorSearchTest, AFirstCutByMeansLeavesOnlyItsPages) {
  SearchOptions options = by("late");
  options.k = 1;
  options.late_first = 1;
  // Of the means, that of page 0 is the question's own direction.
  EXPECT_EQ(pages_of(find(options)), (Pages{0}));
  options.k = 10;
  options.late_first = 4;
  EXPECT_EQ(pages_of(find(options)), (Pages{0, 1, 2}));
}

// The mean of page 0 is zero, though each vector of the question has one of the page near to it.
TEST(LateFirst, SignsFindPagesWhoseMeansSayNothing) {
  testing::SmallStore store;
  const Page page = testing::typed_page({"x"});
  const std::int64_t a = store.put("a.pdf", {page, page, page});
  store.register_set("late", store::VectorUnit::page, 2, true);
  store.put_vectors("late", a, {{{1, 0}, {-1, 0}}, {{0.8F, 0.6F}, {0.8F, 0.6F}}, {{0, -1}}});
  SearchOptions options = by("late");
  options.late_first = options.k = 1;
  for (const auto& [first_by, found] : {std::pair{LateFirst::means, 1U}, {LateFirst::signs, 0U}}) {
    options.late_first_by = first_by;
    testing::FakeModel model{"late", {{"what?", {{1, 0}, {-0.9F, 0.1F}}}}};
    std::map<std::string, testing::FakeModel> models = {{"", model}};
    testing::Asking asking(store, std::make_unique<testing::FakeEncoders>(std::move(models)));
    EXPECT_EQ(pages_of(search(asking.context(), "what?", options)), (Pages{found}));
  }
}

// Page 1 has two chunks, both as near as the one of page 0.
TEST_F(VectorSearchTest, AFirstCutCountsPagesNotChunks) {
  SearchOptions options = by("late-text");
  options.k = 3;
  options.late_first = 3;
  EXPECT_EQ(pages_of(find(options)), (Pages{0, 1, 2}));
}

TEST_F(VectorSearchTest, TheMaskRanksItsShortlistAlone) {
  SearchOptions options = by("hybrid-mask");
  options.k = 1;
  options.mask.shortlist = 2;
  EXPECT_EQ(find(options).size(), 1U);
  options.k = 4;
  options.mask.shortlist = 1;
  EXPECT_EQ(find(options).size(), 3U);  // as many as are asked for
  options.mask.full = true;
  options.k = 2;
  EXPECT_EQ(find(options).size(), 2U);
}

TEST_F(VectorSearchTest, TheMaskIsExplained) {
  SearchOptions options = by("hybrid-mask");
  options.explain = true;
  const std::vector<FoundPage> found = find(options);
  ASSERT_EQ(found.size(), 3U);
  for (const FoundPage& page : found) {
    ASSERT_EQ(page.masks.size(), 1U);
    const MaskParts& mask = page.masks.front();
    EXPECT_EQ(mask.scorer, "hybrid-mask");
    EXPECT_NEAR(mask.salient + mask.fine_print + mask.dropped, mask.cosine, 1e-6);
    EXPECT_NEAR(mask.score, page.score, 1e-6);
  }
  options.explain = false;
  EXPECT_TRUE(find(options)[0].masks.empty());
}

TEST_F(VectorSearchTest, TheCosineModeIsTheCosine) {
  SearchOptions options = by("hybrid-mask");
  options.mask.options.mode = score::MaskMode::cosine;
  const std::vector<FoundPage> masked = find(options);
  const std::vector<FoundPage> plain = find(by("page"));
  ASSERT_EQ(pages_of(masked), pages_of(plain));
  for (std::size_t i = 0; i < masked.size(); ++i) {
    EXPECT_NEAR(masked[i].score, plain[i].score, 1e-6);
  }
}

// The page of b.pdf has the direction (0.6, 0.8) and the question (1, 0): the cosine is 0.6. Its
// mask keeps only the first dimension, so the masked cosine is 1.
TEST_F(VectorSearchTest, TheMaskIsAppliedByItselfOnlyIfTheEncoderWasTrainedWithIt) {
  SearchOptions options = by("hybrid-mask");
  options.mask.options.mode = score::MaskMode::automatic;
  const auto score_of_b = [&] {
    for (const FoundPage& page : find(options)) {
      if (page.page == PageId(2)) return page.score;
    }
    return std::nan("");
  };
  EXPECT_NEAR(score_of_b(), 0.6, 1e-6);
  EXPECT_EQ(asking_->context().mask, "cosine");
  const std::string& reason = asking_->context().mask_reason;
  EXPECT_NE(reason.find("\"page\" was not trained with the mask"), std::string::npos) << reason;
  trained_mask_ = true;
  EXPECT_NEAR(score_of_b(), 1, 1e-6);
  EXPECT_EQ(asking_->context().mask, "hybrid");
  EXPECT_EQ(asking_->context().mask_reason, "the encoder was trained with the mask");
}

TEST_F(VectorSearchTest, AMaskThatIsAskedForIsApplied) {
  SearchOptions options = by("hybrid-mask");
  options.mask.options.mode = score::MaskMode::dense;
  find(options);
  EXPECT_EQ(asking_->context().mask, "dense");
  EXPECT_EQ(asking_->context().mask_reason, "--mask-mode dense");
  find(by("page"));
  EXPECT_EQ(asking_->context().mask, "");
}

TEST_F(VectorSearchTest, AnotherSetIsNamedByItsNumber) {
  store::VectorSet set;
  set.name = "page-2";
  set.kind = "page";
  set.unit = store::VectorUnit::page;
  set.hash = "page-2";
  set.dim = 2;
  store_.register_set(set);
  store_.put_vectors("page-2", a_, {{{1, 0}}, {{0, 1}}});
  const std::vector<FoundPage> found = find(by("page-2:2"));
  EXPECT_EQ(pages_of(found), (Pages{0, 1}));
  EXPECT_FLOAT_EQ(static_cast<float>(found[0].score), 2);
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[0], "page-2")), 1);
  EXPECT_THROW(find(by("page-3")), Error);
}

TEST_F(VectorSearchTest, AQuestionThatIsNoNumberFindsNothing) {
  const float nan = std::nanf("");
  for (const char* scorer : {"page", "hybrid-mask", "late"}) {
    testing::FakeModel model;
    model.hash = scorer == std::string("late") ? "late" : "page";
    model.vectors["what?"] = {{nan, 1}};
    testing::Asking asking(store_, std::make_unique<testing::FakeEncoders>(
                                       std::map<std::string, testing::FakeModel>{{"", model}}));
    EXPECT_TRUE(search(asking.context(), "what?", by(scorer)).empty()) << scorer;
  }
}

TEST_F(VectorSearchTest, PagesWithoutVectorsAreRankedByTheOthers) {
  SearchOptions options;
  options.scorers = {"page", "bm25"};
  const std::vector<FoundPage> found = find(options, "gamma");
  EXPECT_EQ(found.size(), 4U);
  EXPECT_TRUE(std::ranges::count(pages_of(found), 3U) == 1);
}

TEST_F(VectorSearchTest, TheUnionIsInReadingOrder) {
  SearchOptions options;
  options.scorers = {"page", "bm25"};
  options.fusion = Fusion::union_of_lists;
  options.k = 2;
  // page finds 1 and 2; bm25 finds 0 and 2 (equal scores: the smaller numbers first).
  const std::vector<FoundPage> found = find(options, "gamma");
  EXPECT_EQ(pages_of(found), (Pages{0, 1, 2}));
  EXPECT_EQ(found[1].score, 0.5);
  EXPECT_FLOAT_EQ(static_cast<float>(part(found[1], "page")), 1);
  // The order of documents is that of the list of images, wherever it was named.
  options.docs = {};
  options.k = 1;
  const std::vector<FoundPage> first = find(options, "gamma");
  EXPECT_EQ(pages_of(first), (Pages{0, 1}));
}

TEST_F(VectorSearchTest, TheUnionChoosesForEveryListAndHoldsItsThreshold) {
  SearchOptions options;
  options.scorers = {"page", "bm25"};
  options.fusion = Fusion::union_of_lists;
  options.adaptive = true;
  options.adaptive_options.min_k = 1;
  find(options, "gamma");
  const Json trace = Json::parse(asking_->trace().to_json());
  std::set<std::string> lists;
  for (const Json& step : trace) {
    if (step["step"] == "adaptive_k") lists.insert(step["scorer"].get<std::string>());
  }
  EXPECT_EQ(lists, (std::set<std::string>{"page", "bm25"}));
  options.adaptive = false;
  options.min_score = 0.7;  // of page, only page 1; bm25 gives less
  EXPECT_EQ(pages_of(find(options, "gamma")), (Pages{1}));
}

TEST_F(VectorSearchTest, TheUnionIsFilledUpToASize) {
  SearchOptions options;
  options.scorers = {"page", "bm25"};
  options.fusion = Fusion::union_of_lists;
  options.k = 1;
  const auto filled = [&](const std::vector<std::size_t>& sizes) {
    options.union_sizes = sizes;
    return pages_of(find(options, "gamma"));
  };
  // page finds 1, bm25 finds 0; page ranks 1, 2, 0 and knows nothing of 3.
  EXPECT_EQ(filled({}), (Pages{0, 1}));
  EXPECT_EQ(filled({1}), (Pages{0, 1}));
  EXPECT_EQ(filled({1, 2, 4}), (Pages{0, 1}));
  EXPECT_EQ(filled({1, 3}), (Pages{0, 1, 2}));
  EXPECT_EQ(filled({9}), (Pages{0, 1, 2}));
  options.min_score = 0.7;  // of page, only page 1; bm25 gives less
  EXPECT_EQ(filled({3}), (Pages{1}));
  options.min_score = 2;
  EXPECT_EQ(filled({3}), Pages{});
}

// Random pages in several formats, against float64.
class RandomPages : public ::testing::Test {
 protected:
  static constexpr std::size_t kDim = 32;
  static constexpr int kPages = 150;

  RandomPages() {
    std::vector<Page> pages(kPages, testing::typed_page({"x"}));
    const std::int64_t first = store_.put("a.pdf", pages);
    const std::int64_t second = store_.put("b.pdf", pages);
    for (const char* format : {"float32", "int8+float32"}) {
      for (const std::string kind : {"page", "late"}) {
        store::VectorSet set;
        set.kind = kind;
        set.name = kind + (std::string(format) == "float32" ? "" : "-2");
        set.hash = set.name;
        set.unit = store::VectorUnit::page;
        set.many_vectors = kind == "late";
        set.dim = kDim;
        set.format = *store::parse_vector_format(format);
        store_.register_set(set);
      }
    }
    for (const std::int64_t document : {first, second}) {
      std::vector<Rows> single, many;
      for (int page = 0; page < kPages; ++page) {
        single.push_back({unit_vector()});
        many.push_back({unit_vector(), unit_vector(), unit_vector()});
      }
      for (const char* set : {"page", "page-2"}) store_.put_vectors(set, document, single);
      for (const char* set : {"late", "late-2"}) store_.put_vectors(set, document, many);
      singles_.insert(singles_.end(), single.begin(), single.end());
      manies_.insert(manies_.end(), many.begin(), many.end());
    }
    query_ = {unit_vector(), unit_vector()};
  }

  std::vector<float> unit_vector() {
    std::vector<float> vector(kDim);
    double squares = 0;
    for (float& value : vector) {
      value = static_cast<float>(normal_(random_));
      squares += static_cast<double>(value) * value;
    }
    for (float& value : vector) value = static_cast<float>(value / std::sqrt(squares));
    return vector;
  }

  std::vector<FoundPage> find(const SearchOptions& options) {
    const std::string& scorer = options.scorers.front();
    testing::FakeModel model;
    model.hash = scorer == "hybrid-mask" ? "page" : scorer == "hybrid-mask-2" ? "page-2" : scorer;
    model.vectors["what?"] = scorer.starts_with("late") ? query_ : Rows{query_.front()};
    testing::Asking asking(store_, std::make_unique<testing::FakeEncoders>(
                                       std::map<std::string, testing::FakeModel>{{"", model}}));
    return search(asking.context(), "what?", options);
  }

  // The first `count` pages by `score`, with their scores, ties aside.
  template <typename Score>
  void expect_best(const std::vector<FoundPage>& found, std::size_t count, const Score& score) {
    std::vector<score::Scored> wanted;
    for (std::uint32_t page = 0; page < 2 * kPages; ++page) wanted.push_back({page, score(page)});
    wanted = score::top_k(wanted, count);
    ASSERT_GE(found.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(found[i].page.value, wanted[i].item) << i;
      EXPECT_NEAR(found[i].scores.front().score, wanted[i].score, 2e-6) << i;
    }
  }

  static std::vector<double> wide(const std::vector<float>& row) {
    return {row.begin(), row.end()};
  }
  static double dot(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum;
  }
  std::size_t best_row(const std::vector<float>& query, std::uint32_t page) const {
    const Rows& rows = manies_[page];
    return static_cast<std::size_t>(
        std::ranges::max_element(rows, {}, [&](const auto& row) { return dot(query, row); }) -
        rows.begin());
  }

  testing::SmallStore store_;
  std::mt19937 random_{11};
  std::normal_distribution<double> normal_;
  std::vector<Rows> singles_, manies_;
  Rows query_;
};

TEST_F(RandomPages, TheBestPagesAreExactAlsoByCodes) {
  for (const int k : {1, 7, 40}) {
    for (const char* scorer : {"page", "page-2"}) {
      SearchOptions options = by(scorer);
      options.k = k;
      expect_best(find(options), static_cast<std::size_t>(k),
                  [&](std::uint32_t page) { return dot(query_.front(), singles_[page].front()); });
    }
    for (const char* scorer : {"late", "late-2"}) {
      SearchOptions options = by(scorer);
      options.k = k;
      expect_best(find(options), static_cast<std::size_t>(k), [&](std::uint32_t page) {
        double sum = 0;
        for (const auto& q : query_) sum += dot(q, manies_[page][best_row(q, page)]);
        return sum;
      });
    }
  }
}

TEST_F(RandomPages, TheMaskOverTheWholePool) {
  const std::vector<double> query = wide(query_.front());
  for (const char* scorer : {"hybrid-mask", "hybrid-mask-2"}) {
    SearchOptions options = by(scorer);
    options.k = 50;
    options.mask.full = true;
    expect_best(find(options), 50, [&](std::uint32_t page) {
      return score::masked_pair(query, wide(singles_[page].front()), {}).hybrid;
    });
  }
}

TEST_F(RandomPages, TheMaskOverTheShortlist) {
  const std::vector<double> query = wide(query_.front());
  std::vector<score::Scored> cosines;
  for (std::uint32_t page = 0; page < 2 * kPages; ++page) {
    cosines.push_back({page, dot(query_.front(), singles_[page].front())});
  }
  cosines = score::top_k(cosines, 20);
  std::set<std::uint32_t> shortlist;
  for (const score::Scored& page : cosines) shortlist.insert(page.item);
  for (const char* scorer : {"hybrid-mask", "hybrid-mask-2"}) {
    SearchOptions options = by(scorer);
    options.k = 20;
    options.mask.shortlist = 20;
    expect_best(find(options), 20, [&](std::uint32_t page) {
      return shortlist.contains(page)
                 ? score::masked_pair(query, wide(singles_[page].front()), {}).hybrid
                 : -2;
    });
  }
}

TEST_F(RandomPages, TheMaskOverPairsOfLateInteraction) {
  for (const char* scorer : {"late", "late-2"}) {
    SearchOptions options = by(scorer);
    options.k = 30;
    options.mask.late = true;
    options.mask.shortlist = 2 * kPages;
    options.explain = true;
    const std::vector<FoundPage> found = find(options);
    expect_best(found, 30, [&](std::uint32_t page) {
      double sum = 0;
      for (const auto& q : query_) {
        sum += score::masked_pair(wide(q), wide(manies_[page][best_row(q, page)]), {}).hybrid;
      }
      return sum;
    });
    EXPECT_NEAR(found[0].masks.at(0).score, found[0].scores[0].score, 1e-6);
  }
}

TEST_F(RandomPages, AFirstCutAsLargeAsThePoolIsExact) {
  SearchOptions options = by("late");
  options.k = 40;
  const Pages exact = pages_of(find(options));
  options.late_first = 2 * kPages;
  for (const LateFirst by_this : {LateFirst::means, LateFirst::signs}) {
    options.late_first_by = by_this;
    EXPECT_EQ(pages_of(find(options)), exact);
  }
}

// Vectors without any structure are the hardest: a tenth of the pages still holds the first of
// them.
TEST_F(RandomPages, AFirstCutBySignsKeepsTheFirstPage) {
  for (const char* scorer : {"late", "late-2"}) {
    SearchOptions options = by(scorer);
    options.k = 1;
    const std::vector<FoundPage> exact = find(options);
    options.late_first = 2 * kPages / 10;
    options.late_first_by = LateFirst::signs;
    const std::vector<FoundPage> found = find(options);
    ASSERT_EQ(pages_of(found), pages_of(exact)) << scorer;
    EXPECT_EQ(found.front().score, exact.front().score) << scorer;
  }
}

TEST_F(RandomPages, AllNearTokensAreExact) {
  for (const char* scorer : {"late", "late-2"}) {
    SearchOptions options = by(scorer);
    options.k = 2 * kPages;
    const std::vector<FoundPage> exact = find(options);
    for (const int tokens : {2 * kPages * 3, 1'000'000}) {
      options.late_tokens = tokens;
      const std::vector<FoundPage> near = find(options);
      ASSERT_EQ(pages_of(near), pages_of(exact)) << scorer;
      for (std::size_t i = 0; i < near.size(); ++i) EXPECT_EQ(near[i].score, exact[i].score);
    }
  }
}

TEST_F(RandomPages, FetchedTokensAreSummed) {
  constexpr std::size_t kTokens = 25;
  std::map<std::uint32_t, double> wanted;
  for (const auto& q : query_) {
    std::vector<std::pair<double, std::uint32_t>> products;
    for (std::uint32_t page = 0; page < 2 * kPages; ++page) {
      for (const auto& row : manies_[page]) products.emplace_back(-dot(q, row), page);
    }
    std::ranges::sort(products);
    std::map<std::uint32_t, double> best;
    for (std::size_t i = 0; i < kTokens; ++i) best.emplace(products[i].second, -products[i].first);
    for (const auto& [page, product] : best) wanted[page] += product;
  }
  SearchOptions options = by("late");
  options.k = 2 * kPages;
  options.late_tokens = kTokens;
  options.late_rescore = false;
  const std::vector<FoundPage> found = find(options);
  ASSERT_EQ(found.size(), wanted.size());
  for (const FoundPage& page : found)
    EXPECT_NEAR(part(page, "late"), wanted.at(page.page.value), 2e-6);
  // By codes, whose products are a little off: nearly the same pages, with nearly the same sums.
  options.scorers = {"late-2"};
  std::size_t same = 0;
  for (const FoundPage& page : find(options)) {
    if (!wanted.contains(page.page.value)) continue;
    const double sum = part(page, "late-2");
    if (std::abs(sum - wanted.at(page.page.value)) < 0.01) ++same;
  }
  EXPECT_GE(same, wanted.size() * 9 / 10);
}

TEST_F(RandomPages, ThreadsDoNotMatter) {
  for (const int late_tokens : {0, 7}) {
    testing::FakeModel model{"late", {{"what?", query_}}};
    SearchOptions options = by("late");
    options.late_tokens = late_tokens;
    options.late_rescore = false;
    std::vector<std::vector<double>> scores;
    for (const int threads : {1, 3, 8}) {
      const session::Session session(store_.store(),
                                     {.model = {.device = {"cpu", "auto", threads}}},
                                     std::make_unique<testing::FakeEncoders>(
                                         std::map<std::string, testing::FakeModel>{{"", model}}));
      Trace trace;
      Budget budget;
      session::Context context{session, trace, budget};
      scores.emplace_back();
      for (const FoundPage& page : search(context, "what?", options)) {
        scores.back().push_back(page.score);
      }
    }
    EXPECT_EQ(scores[0], scores[1]);
    EXPECT_EQ(scores[0], scores[2]);
  }
}

}  // namespace
}  // namespace fineprint::retrieve
