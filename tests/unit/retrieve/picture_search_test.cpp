// Searches for questions that carry a picture: by its words, its vectors, and pages that show it.
#include <algorithm>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/image/clean.h"
#include "fineprint/retrieve/picture_pages.h"
#include "fineprint/retrieve/search.h"

#include "support/fake_encoders.h"
#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

using Pages = std::vector<std::uint32_t>;

Pages pages_of(const std::vector<FoundPage>& found) {
  Pages pages;
  for (const FoundPage& page : found) pages.push_back(page.page.value);
  return pages;
}

SearchOptions by_words() {
  SearchOptions options;
  options.scorers = {"bm25"};
  return options;
}

QuestionPicture picture_with(const std::string& text, Image image = {1, 1, 3, {0, 0, 0}}) {
  return {.record = {.name = "photo.jpg", .sha256 = text, .width = 1, .height = 1, .text = text},
          .image = std::move(image)};
}

Image noise(unsigned seed) {
  constexpr int kSide = 500;
  Image image{.width = kSide, .height = kSide, .channels = 3, .pixels = {}};
  image.pixels.resize(image.stride() * kSide);
  std::fill(image.pixels.begin(), image.pixels.end(), std::uint8_t{255});
  std::mt19937 random(seed);
  for (int n = 0; n < 150; ++n) {
    const int x0 = static_cast<int>(random() % kSide), y0 = static_cast<int>(random() % kSide);
    const int x1 = std::min(kSide, x0 + 4 + static_cast<int>(random() % 30));
    const int y1 = std::min(kSide, y0 + 4 + static_cast<int>(random() % 30));
    const auto grey = static_cast<std::uint8_t>(random() % 256);
    for (int y = y0; y < y1; ++y) std::fill(image.row(y) + 3 * x0, image.row(y) + 3 * x1, grey);
  }
  return image;
}

// Every page is another picture, by its number and its document.
class NoisePages : public session::PageSource {
 public:
  Image raster(const store::DocumentRow& document, int page, double) const override {
    if (document.doc == "gone.pdf") throw Error(ErrorCode::unreadable, "gone.pdf is gone");
    return noise(static_cast<unsigned>(page) + (document.doc == "a.pdf" ? 0 : 50));
  }
};

TEST(PictureSearch, WordsOfThePictureFindItsPage) {
  testing::SmallStore store;
  store.put("a.pdf", {testing::typed_page({"the rotor of the pump"}),
                      testing::typed_page({"bearing 6204 price list"})});
  testing::Asking asking(store);
  EXPECT_TRUE(search(asking.context(), "which of these is it?", by_words()).empty());
  asking.context().pictures.push_back(picture_with("BEARING 6204"));
  const auto found = search(asking.context(), "which of these is it?", by_words());
  EXPECT_EQ(pages_of(found), (Pages{1}));
  EXPECT_EQ(asking.context().pictures[0].record.used, std::vector<std::string>{"words"});
}

TEST(PictureSearch, QuestionAndPictureTogetherWeighAsMuchAsTheQuestionAlone) {
  testing::SmallStore store;
  store.put("a.pdf", {testing::typed_page({"bearing 6204"}), testing::typed_page({"rotor"})});
  testing::Asking asking(store);
  const double alone = search(asking.context(), "bearing 6204", by_words()).at(0).score;
  asking.context().pictures.push_back(picture_with("bearing 6204"));
  EXPECT_NEAR(search(asking.context(), "bearing 6204", by_words()).at(0).score, alone, 1e-6);
}

TEST(PictureSearch, ChunksAreFoundByItsWords) {
  testing::SmallStore store;
  store.put("a.pdf", {testing::typed_page({"rotor"}), testing::typed_page({"bearing 6204"})});
  testing::Asking asking(store);
  asking.context().pictures.push_back(picture_with("6204"));
  const auto found = search_chunks(asking.context(), "which?", by_words());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].page, PageId(1));
}

class VectorsOfPages : public ::testing::Test {
 protected:
  VectorsOfPages() {
    const std::int64_t a =
        store_.put("a.pdf", {testing::typed_page({"rotor"}), testing::typed_page({"bearing"})});
    store_.register_set("page", store::VectorUnit::page, 2);
    store_.put_vectors("page", a, {{{1, 0}}, {{0, 1}}});
  }

  testing::Asking asking(testing::Rows image) const {
    std::map<std::string, testing::FakeModel> models;
    models[""] = {.hash = "page", .vectors = {{"which?", {{1, 0}}}}, .image = std::move(image)};
    return testing::Asking(store_, std::make_unique<testing::FakeEncoders>(std::move(models)));
  }

  testing::SmallStore store_;
};

TEST_F(VectorsOfPages, AreComparedWithThePictureThoughOnlyWordsWereNamed) {
  testing::Asking asking = this->asking({{0, 1}});
  asking.context().pictures.push_back(picture_with(""));
  const auto found = search(asking.context(), "which?", by_words());
  EXPECT_EQ(pages_of(found), (Pages{1, 0}));
  EXPECT_NEAR(found[0].score, 1, 1e-6);
  EXPECT_EQ(asking.context().pictures[0].record.used, std::vector<std::string>{"page"});
}

TEST_F(VectorsOfPages, PictureAndQuestionShareAScorer) {
  testing::Asking asking = this->asking({{0.6F, 0.8F}});
  asking.context().pictures.push_back(picture_with(""));
  SearchOptions options;
  options.scorers = {"page"};
  const auto found = search(asking.context(), "which?", options);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].page, PageId(0));
  EXPECT_NEAR(found[0].score, 0.5 * 1 + 0.5 * 0.6, 1e-6);
  EXPECT_NEAR(found[1].score, 0.5 * 0 + 0.5 * 0.8, 1e-6);
}

TEST_F(VectorsOfPages, AnEncoderThatTakesNoPicturesIsNoted) {
  testing::Asking asking = this->asking({});
  asking.context().pictures.push_back(picture_with("bearing"));
  EXPECT_EQ(pages_of(search(asking.context(), "what?", by_words())), (Pages{1}));
  const PictureRecord& record = asking.context().pictures[0].record;
  EXPECT_EQ(record.used, std::vector<std::string>{"words"});
  ASSERT_EQ(record.notes.size(), 1U);
  EXPECT_NE(record.notes[0].find("takes texts only"), std::string::npos) << record.notes[0];
}

// Two documents of which one cannot be drawn.
class DrawnPages : public ::testing::Test {
 protected:
  DrawnPages() {
    Page page = testing::typed_page({"rotor"});
    page.width_pt = page.height_pt = 300;
    store_.put("a.pdf", {page, page, page});
    store_.put("b.pdf", {page, page});
    session::SessionParts parts;
    parts.pages = std::make_unique<NoisePages>();
    session_ = std::make_unique<session::Session>(store_.store(), session::SessionOptions{},
                                                  std::move(parts));
    context_ = std::make_unique<session::Context>(*session_, trace_, budget_);
  }

  const PictureRecord& find(QuestionPicture picture, const SearchOptions& options = {}) {
    context_->pictures = {std::move(picture)};
    find_picture_pages(*context_, "which page?", options);
    return context_->pictures[0].record;
  }

  testing::SmallStore store_;
  Trace trace_{true};
  Budget budget_;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<session::Context> context_;
};

TEST_F(DrawnPages, ThePageThatShowsThePictureIsFoundAndComesFirst) {
  const PictureRecord& record = find(picture_with("", image::cropped(noise(52), 50, 60, 450, 460)));
  ASSERT_EQ(record.found.size(), 1U);
  EXPECT_EQ(record.found[0].page, (PageRef{"b.pdf", 2}));
  // The page has 300 points, and its picture as many pixels a side as it was drawn with.
  EXPECT_GT(record.found[0].score, 0.5);
  EXPECT_FALSE(record.found[0].box.empty());
  EXPECT_EQ(record.compared_pages, 5);
  const auto found = search(*context_, "rotor", by_words());
  EXPECT_EQ(found.at(0).page, PageId(4));
  EXPECT_EQ(found.at(0).scores.back().scorer, "shown picture");
  SearchOptions others = by_words();
  others.docs = {"a.pdf"};
  EXPECT_EQ(pages_of(search(*context_, "rotor", others)), (Pages{0, 1, 2}));
}

TEST_F(DrawnPages, APictureOfNoPageIsNotFound) {
  const PictureRecord& record = find(picture_with("", noise(999)));
  EXPECT_TRUE(record.found.empty());
  EXPECT_EQ(record.compared_pages, 5);
  EXPECT_TRUE(record.notes.empty());
}

TEST_F(DrawnPages, WhatWasNotComparedIsNoted) {
  SearchOptions options;
  options.picture_pages = 2;
  const PictureRecord& record = find(picture_with("", noise(999)), options);
  EXPECT_EQ(record.compared_pages, 2);
  ASSERT_EQ(record.notes.size(), 1U);
  EXPECT_NE(record.notes[0].find("2 of 5 pages"), std::string::npos) << record.notes[0];
  options.picture_pages = 0;
  EXPECT_EQ(find(picture_with("", noise(1)), options).compared_pages, 0);
}

TEST_F(DrawnPages, PagesThatCannotBeDrawnAreNoted) {
  Page page = testing::typed_page({"rotor"});
  page.width_pt = page.height_pt = 300;
  store_.put("gone.pdf", {page});
  session::SessionParts parts;
  parts.pages = std::make_unique<NoisePages>();
  const session::Session session(store_.store(), session::SessionOptions{}, std::move(parts));
  session::Context context(session, trace_, budget_);
  context.pictures = {picture_with("", noise(999))};
  find_picture_pages(context, "which page?", {});
  const PictureRecord& record = context.pictures[0].record;
  EXPECT_EQ(record.compared_pages, 5);
  ASSERT_EQ(record.notes.size(), 1U);
  EXPECT_NE(record.notes[0].find("cannot be drawn: 1 page ("), std::string::npos);
  EXPECT_NE(record.notes[0].find("gone.pdf is gone"), std::string::npos);
}

}  // namespace
}  // namespace fineprint::retrieve
