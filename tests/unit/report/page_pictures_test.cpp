// Which pages are drawn, how often, and what is said of those that cannot be.
#include "report/page_pictures.h"

#include <atomic>
#include <filesystem>
#include <memory>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/image/codec.h"

#include "support/small_store.h"

namespace fineprint::report {
namespace {

// Pages of 100 x 50 points; those of "gone.pdf" cannot be drawn.
class CountedPages : public session::PageSource {
 public:
  explicit CountedPages(std::atomic<int>* drawn) : drawn_(drawn) {}
  Image raster(const store::DocumentRow& document, int, double dpi) const override {
    if (document.doc == "gone.pdf") throw Error(ErrorCode::unreadable, "the file is not there");
    ++*drawn_;
    Image image{static_cast<int>(100 * dpi / 72), static_cast<int>(50 * dpi / 72), 3, {}};
    image.pixels.assign(image.stride() * static_cast<std::size_t>(image.height), 200);
    return image;
  }

 private:
  std::atomic<int>* drawn_;
};

Page sized_page() {
  Page page;
  page.width_pt = 100;
  page.height_pt = 50;
  return page;
}

class PagePicturesTest : public ::testing::Test {
 protected:
  PagePicturesTest() {
    store_.put("a/one.pdf", std::vector<Page>(50, sized_page()));
    store_.put("b/two.pdf", {sized_page()});
    store_.put("c/two.pdf", {sized_page()});
    store_.put("gone.pdf", {sized_page()});
    corpus_.emplace(store_.store());
    images_.emplace(*corpus_, std::make_shared<CountedPages>(&drawn_), 0);
  }
  PagePictures pictures(Pictures where) {
    return {&*corpus_, &*images_, {.pictures = where, .dpi = 72}};
  }

  testing::SmallStore store_;
  testing::TempDir dir_;
  std::atomic<int> drawn_ = 0;
  std::optional<session::Corpus> corpus_;
  std::optional<session::PageImages> images_;
};

TEST_F(PagePicturesTest, APageIsDrawnOnceByWhateverNameItIsWanted) {
  PagePictures pages = pictures(Pictures::embed);
  EXPECT_EQ(pages.want({"a/one.pdf", 3}), 0u);
  EXPECT_EQ(pages.want({"b/two.pdf", 1}), 1u);
  EXPECT_EQ(pages.want({"one.pdf", 3}), 0u);
  EXPECT_EQ(pages.want({"", 3}, {"a/*.pdf"}), 0u);
  pages.draw("");
  EXPECT_EQ(drawn_, 2);
  const ShownPage& page = pages.pages().front();
  EXPECT_EQ(page.page, (PageRef{"a/one.pdf", 3}));
  EXPECT_TRUE(page.source.starts_with("data:image/jpeg;base64,/9j/")) << page.source.substr(0, 40);
  EXPECT_EQ(page.width_pt, 100);
  for (const MissingPage& missing : pages.missing()) ADD_FAILURE() << missing.reason;
}

TEST_F(PagePicturesTest, FilesAreMadeOnceAndFoundAgain) {
  const std::string folder = dir_.file("r.pages");
  for (int run = 0; run < 2; ++run) {
    PagePictures pages = pictures(Pictures::files);
    pages.want({"a/one.pdf", 1});
    pages.want({"a/one.pdf", 2});
    pages.draw(folder);
    EXPECT_EQ(drawn_, 2) << "run " << run;
    const std::string bytes = read_file(folder + "/" + pages.pages()[1].source);
    const Image picture =
        image::decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "page");
    EXPECT_EQ(picture.width, 100);
    EXPECT_NE(pages.pages()[0].source, pages.pages()[1].source);
    EXPECT_EQ(pages.pages()[1].height_pt, 50);
  }
}

TEST_F(PagePicturesTest, ManyPagesBecomeFiles) {
  for (const int count : {40, 41}) {
    PagePictures pages = pictures(Pictures::automatic);
    for (int page = 1; page <= count; ++page) pages.want({"a/one.pdf", page});
    pages.draw(dir_.file("many.pages"));
    EXPECT_EQ(pages.are_files(), count > 40) << count;
  }
}

TEST_F(PagePicturesTest, WhatCannotBeDrawnSaysWhy) {
  PagePictures pages = pictures(Pictures::embed);
  for (const PageRef& page :
       {PageRef{"gone.pdf", 1}, {"a/one.pdf", 51}, {"two.pdf", 1}, {"b/two.pdf", 1}}) {
    pages.want(page);
  }
  pages.draw("");
  const std::vector<MissingPage> missing = pages.missing();
  ASSERT_EQ(missing.size(), 3u);
  EXPECT_EQ(missing[0].page.doc, "gone.pdf");
  EXPECT_NE(missing[0].reason.find("the file is not there"), std::string::npos);
  EXPECT_EQ(missing[1].reason, "the store has no page 51 of \"a/one.pdf\"");
  EXPECT_EQ(missing[2].page.doc, "two.pdf");  // of two documents of that name
}

TEST_F(PagePicturesTest, WithoutPicturesNothingIsDrawn) {
  PagePictures pages = pictures(Pictures::none);
  pages.want({"gone.pdf", 1});
  pages.draw("");
  EXPECT_FALSE(pages.are_shown());
  for (const MissingPage& missing : pages.missing()) ADD_FAILURE() << missing.reason;
  PagePictures unknown(nullptr, nullptr, {});
  EXPECT_EQ(unknown.want({"x.pdf", 1}), 0u);
  unknown.draw("");
  EXPECT_EQ(drawn_, 0);
}

}  // namespace
}  // namespace fineprint::report
