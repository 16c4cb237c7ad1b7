// Stores whose vectors are still being made: what lacks vectors must not lose for that.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "fineprint/core/hash.h"
#include "fineprint/retrieve/search.h"

#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

constexpr std::size_t kHalfDim = 48;
constexpr int kHalfDocuments = 8;
constexpr int kHalfPages = 75;  // of each, a chunk each: 600 chunks, more than a question embeds

// The direction of a text's words: texts that share words are near each other.
std::vector<float> direction_of(const std::string& text) {
  std::vector<double> sum(kHalfDim, 0.05);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    for (std::size_t d = 0; d < kHalfDim; ++d) {
      const std::uint64_t bits = checksum(word + "/" + std::to_string(d));
      sum[d] += static_cast<double>(bits % 2001) / 1000 - 1;
    }
  }
  double squares = 0;
  for (const double value : sum) squares += value * value;
  std::vector<float> out;
  for (const double value : sum) out.push_back(static_cast<float>(value / std::sqrt(squares)));
  return out;
}

class WordsEncoder : public models::Encoder {
 public:
  explicit WordsEncoder(int& texts) : texts_(texts) {}
  std::string name() const override { return "words"; }
  std::string hash() const override { return "text"; }
  std::size_t dim() const override { return kHalfDim; }
  bool many_vectors() const override { return false; }
  bool sees() const override { return false; }
  std::vector<Matrix> embed_images(std::span<const Image>) const override { return {}; }
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override {
    if (role == models::TextRole::passage) texts_ += static_cast<int>(texts.size());
    std::vector<Matrix> out;
    for (const std::string& text : texts) out.push_back({1, kHalfDim, direction_of(text)});
    return out;
  }

 private:
  int& texts_;
};

class WordsEncoders : public session::EncoderSource {
 public:
  explicit WordsEncoders(int& texts) : texts_(texts) {}
  std::string hash(const std::string&) const override { return "text"; }
  std::unique_ptr<models::Encoder> open(const std::string&) const override {
    return std::make_unique<WordsEncoder>(texts_);
  }

 private:
  int& texts_;
};

// Pages of drawn words. Vectors stand in the store for the first `embedded` documents.
class HalfEmbedded {
 public:
  explicit HalfEmbedded(int embedded) {
    store_.register_set("text", store::VectorUnit::chunk, kHalfDim);
    for (int d = 0; d < kHalfDocuments; ++d) {
      std::vector<Page> pages;
      for (int p = 0; p < kHalfPages; ++p) pages.push_back(testing::typed_page({text_of(d, p)}));
      const std::int64_t id = store_.put(std::to_string(d) + ".pdf", std::move(pages));
      std::vector<std::vector<std::vector<float>>> units;
      for (int p = 0; p < kHalfPages; ++p) units.push_back({direction_of(text_of(d, p))});
      if (d < embedded) store_.put_vectors("text", id, units);
    }
  }

  // Words that many pages share, and few.
  static std::string text_of(int document, int page) {
    std::mt19937 random(static_cast<unsigned>(document * kHalfPages + page));
    std::string text;
    for (int i = 0; i < 12; ++i) {
      const auto common = random() % 3;
      text += (i > 0 ? " w" : "w") + std::to_string(common < 2 ? random() % 40 : random() % 2000);
    }
    return text;
  }

  std::vector<FoundPage> find(const std::string& question, const std::vector<std::string>& scorers,
                              int k = 10) {
    testing::Asking asking(store_, std::make_unique<WordsEncoders>(texts));
    SearchOptions options;
    options.scorers = scorers;
    options.k = k;
    return search(asking.context(), question, options);
  }

  int texts = 0;  // passages that were embedded for questions

 private:
  testing::SmallStore store_;
};

// Half of the words of a page, and some of others.
std::string question_about(int document, int page) {
  std::mt19937 random(static_cast<unsigned>(page * 7919 + document));
  std::istringstream words(HalfEmbedded::text_of(document, page));
  std::string question;
  for (std::string word; words >> word;) {
    if (random() % 2 == 0) question += word + " ";
  }
  return question + "w" + std::to_string(random() % 40) + " w" + std::to_string(random() % 2000);
}

PageId number_of(int document, int page) {
  return PageId(static_cast<std::uint32_t>(document * kHalfPages + page));
}

std::size_t rank_of(PageId page, const std::vector<FoundPage>& found) {
  const auto place = std::ranges::find(found, page, &FoundPage::page);
  return static_cast<std::size_t>(place - found.begin());
}

TEST(HalfEmbeddedStore, RanksNoPageWorseThanWordsAndAWholeStoreBothDo) {
  HalfEmbedded half(kHalfDocuments / 2), whole(kHalfDocuments);
  int better_than_half = 0, better_than_whole = 0;  // rankings by words alone
  for (int question = 0; question < 60; ++question) {
    const int document = question % kHalfDocuments, page = (question * 31) % kHalfPages;
    const PageId number = number_of(document, page);
    const std::string text = question_about(document, page);
    const std::size_t by_words = rank_of(number, half.find(text, {"bm25"}));
    const std::size_t here = rank_of(number, half.find(text, {"bm25", "text"}));
    const std::size_t there = rank_of(number, whole.find(text, {"bm25", "text"}));
    EXPECT_LE(here, std::max(by_words, there)) << text;
    better_than_half += by_words < here ? 1 : 0;
    better_than_whole += by_words < there ? 1 : 0;
  }
  EXPECT_LE(better_than_half, better_than_whole);
}

// Documents whose vectors are there hold nothing but common words of the question.
TEST(HalfEmbeddedStore, FindsThePageThatHasNoVectorYet) {
  HalfEmbedded half(kHalfDocuments / 2);
  const int document = kHalfDocuments - 1;
  for (const int page : {3, 40, 74}) {
    const std::vector<FoundPage> found =
        half.find(HalfEmbedded::text_of(document, page), {"bm25", "text"});
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().page, number_of(document, page));
  }
}

// The pages that words speak for most are scored as in a whole store.
TEST(HalfEmbeddedStore, GivesThePagesThatWordsFindTheirOwnVectors) {
  HalfEmbedded none(0), whole(kHalfDocuments);
  const std::string question = question_about(2, 9);
  std::map<PageId, double> right;
  for (const FoundPage& page : whole.find(question, {"text"}, 600)) right[page.page] = page.score;
  ASSERT_EQ(right.size(), 600U);
  std::map<PageId, double> here;
  for (const FoundPage& page : none.find(question, {"text"}, 600)) here[page.page] = page.score;
  for (const FoundPage& page : none.find(question, {"bm25"}, 100)) {
    EXPECT_NEAR(here.at(page.page), right.at(page.page), 1e-5) << page.page.value;
  }
  EXPECT_EQ(here.size(), 600U);  // the others have the mean
  EXPECT_LE(none.texts, 2 * 256);
}

// What speaks neither for nor against a page is the mean of the others.
TEST(HalfEmbeddedStore, GivesOthersTheMean) {
  HalfEmbedded half(kHalfDocuments / 2);
  const std::vector<FoundPage> found = half.find(question_about(1, 1), {"text"}, 600);
  std::map<double, int> pages_of_score;
  for (const FoundPage& page : found) ++pages_of_score[page.score];
  const auto most =
      std::ranges::max_element(pages_of_score, {}, [](const auto& entry) { return entry.second; });
  ASSERT_GT(most->second, 10);
  double sum = 0;
  int known = 0;
  for (const auto& [score, pages] : pages_of_score) {
    if (score == most->first) continue;
    sum += score * pages;
    known += pages;
  }
  EXPECT_NEAR(most->first, sum / known, 1e-4);
}

// A small rest is embedded whole: nothing differs from a whole store.
TEST(HalfEmbeddedStore, IsAsGoodAsWholeWhereLittleIsLeft) {
  HalfEmbedded nearly(kHalfDocuments - 3), whole(kHalfDocuments);
  for (int i = 0; i < 8; ++i) {
    const std::string question = question_about(i, 5 * i);
    const std::vector<FoundPage> here = nearly.find(question, {"bm25", "text"});
    const std::vector<FoundPage> there = whole.find(question, {"bm25", "text"});
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t p = 0; p < here.size(); ++p) {
      EXPECT_EQ(here[p].page, there[p].page);
      EXPECT_NEAR(here[p].score, there[p].score, 1e-5);
    }
  }
}

TEST(HalfEmbeddedStore, EmbedsAChunkOnceASession) {
  testing::SmallStore store;
  store.register_set("text", store::VectorUnit::chunk, kHalfDim);
  store.put("a.pdf", {testing::typed_page({"alpha beta"}), testing::typed_page({"gamma"})});
  int texts = 0;
  testing::Asking asking(store, std::make_unique<WordsEncoders>(texts));
  SearchOptions options;
  options.scorers = {"text"};
  EXPECT_EQ(search(asking.context(), "alpha", options).size(), 2U);
  EXPECT_EQ(search(asking.context(), "gamma", options).size(), 2U);
  EXPECT_EQ(search_chunks(asking.context(), "gamma", options).size(), 2U);
  EXPECT_EQ(texts, 2);
  const std::vector<store::NewVectors> made = asking.context().session.made_vectors("text");
  ASSERT_EQ(made.size(), 1U);  // neighbours are one part
  EXPECT_EQ(made[0].units, 2U);
  EXPECT_EQ(made[0].rows.values, [] {
    std::vector<float> both = direction_of("alpha beta");
    const std::vector<float> second = direction_of("gamma");
    both.insert(both.end(), second.begin(), second.end());
    return both;
  }());
}

}  // namespace
}  // namespace fineprint::retrieve
