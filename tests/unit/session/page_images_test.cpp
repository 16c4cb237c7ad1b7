// Tiers, crops, the cache and the errors of page images, over pages that the tests draw.
#include "fineprint/session/page_images.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/small_store.h"

namespace fineprint::session {
namespace {

constexpr std::size_t kEnough = std::size_t{1} << 30;

// What pages were rasterised, and with what.
struct Rasters {
  std::atomic<int> count = 0;
  std::mutex mutex;
  double last_dpi = 0;
};

// Draws pages of a size: pixel (x, y) is (x, y, page) modulo 256, or what `value` says in all
// channels.
class DrawnPages : public PageSource {
 public:
  DrawnPages(double width_pt, double height_pt, Rasters* rasters,
             std::function<int(int x, int y)> value = {})
      : width_pt_(width_pt), height_pt_(height_pt), rasters_(rasters), value_(std::move(value)) {}

  Image raster(const store::DocumentRow&, int page, double dpi) const override {
    {
      const std::lock_guard lock(rasters_->mutex);
      ++rasters_->count;
      rasters_->last_dpi = dpi;
    }
    const int width = side(width_pt_, dpi), height = side(height_pt_, dpi);
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const int all = value_ ? value_(x, y) : -1;
        for (const int one : {x, y, page}) {
          pixels.push_back(static_cast<std::uint8_t>(value_ ? all : one));
        }
      }
    }
    return {width, height, 3, std::move(pixels)};
  }

 private:
  static int side(double points, double dpi) {
    return static_cast<int>(std::ceil(points * dpi / 72 - 0.001));
  }

  double width_pt_, height_pt_;
  Rasters* rasters_;
  std::function<int(int, int)> value_;
};

class FailingPages : public PageSource {
 public:
  explicit FailingPages(std::atomic<int>* failures) : failures_(failures) {}
  Image raster(const store::DocumentRow&, int, double) const override {
    if ((*failures_)-- > 0) throw Error(ErrorCode::timed_out, "the worker took too long");
    return {1, 1, 3, {1, 2, 3}};
  }

 private:
  std::atomic<int>* failures_;
};

Page page_of(double width_pt, double height_pt) {
  Page page;
  page.width_pt = static_cast<float>(width_pt);
  page.height_pt = static_cast<float>(height_pt);
  return page;
}

// A document of two pages of one size.
struct Book {
  Book(double width_pt, double height_pt, std::function<int(int, int)> value = {},
       std::size_t cache = kEnough)
      : corpus(filled(&store, width_pt, height_pt)),
        images(corpus,
               std::make_unique<DrawnPages>(width_pt, height_pt, &rasters, std::move(value)),
               cache) {}

  static const store::Store& filled(testing::SmallStore* store, double width, double height) {
    store->put("book.pdf", {page_of(width, height), page_of(width, height)});
    return store->store();
  }

  testing::SmallStore store;
  Rasters rasters;
  Corpus corpus;
  PageImages images;
};

std::int64_t pixels(const Image& image) { return std::int64_t{image.width} * image.height; }

std::pair<int, int> size_of(const Image& image) { return {image.width, image.height}; }

std::string problem_of(ErrorCode code, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(PageImages, TiersAreThoseOfTheMethods) {
  const std::vector<std::string> names = {"thumb", "low", "page", "fine"};
  const std::vector<TierSize> sizes = {
      {72, 200'704, 0}, {144, 401'408, 200'704}, {144, 1'003'520, 0}, {200, 2'007'040, 0}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto tier = static_cast<Tier>(i);
    EXPECT_EQ(tier_name(tier), names[i]);
    EXPECT_EQ(tier_size(tier).dpi, sizes[i].dpi);
    EXPECT_EQ(tier_size(tier).most_pixels, sizes[i].most_pixels);
    EXPECT_EQ(tier_size(tier).fewest_pixels, sizes[i].fewest_pixels);
  }
}

TEST(PageImages, KeepTheAspectOfAPageUpToTheCaps) {
  Book book(595, 842);  // A4
  for (const Tier tier : {Tier::thumb, Tier::low, Tier::page, Tier::fine}) {
    const Image image = book.images.page(PageId(0), tier);
    const std::int64_t most = tier_size(tier).most_pixels;
    EXPECT_EQ(image.channels, 3);
    EXPECT_LE(pixels(image), most) << tier_name(tier);
    EXPECT_GT(pixels(image), most * 98 / 100) << tier_name(tier);
    EXPECT_NEAR(static_cast<double>(image.height) / image.width, 842.0 / 595, 0.005);
    EXPECT_EQ(book.rasters.last_dpi, tier_size(tier).dpi);
  }
}

// No cap of a tier, nothing kept, and the scale by which points become pixels.
TEST(PageImages, AreRasterisedAtAnyResolution) {
  Book book(1000, 700);
  for (int time = 1; time <= 2; ++time) {
    const PageRaster raster = book.images.raster(PageId(1), 108);
    EXPECT_EQ(size_of(raster.picture), std::pair(1500, 1050));
    EXPECT_EQ(std::pair(raster.width_pt, raster.height_pt), std::pair(1000.0F, 700.0F));
    EXPECT_DOUBLE_EQ(raster.pixels_a_point, 1.5);
    EXPECT_EQ(book.rasters.count, time);
  }
}

TEST(PageImages, AreShrunkByAreaAveraging) {
  // 2560 x 1568 pixels, twice the cap's sides: each pixel becomes the mean of four.
  const auto value = [](int x, int y) { return (x / 2 + y / 2) % 2 == 1 ? (x + y) % 2 * 200 : 40; };
  Book book(1280, 784, value);
  const Image image = book.images.page(PageId(0), Tier::page);
  ASSERT_EQ(size_of(image), std::pair(1280, 784));
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      ASSERT_EQ(image.row(y)[3 * x], (x + y) % 2 == 1 ? 100 : 40) << x << ',' << y;
    }
  }
}

TEST(PageImages, AreNotEnlargedToTheCap) {
  Book book(100, 50);
  EXPECT_EQ(size_of(book.images.page(PageId(0), Tier::thumb)), std::pair(100, 50));
  EXPECT_EQ(size_of(book.images.page(PageId(0), Tier::page)), std::pair(200, 100));
  EXPECT_EQ(book.images.page(PageId(1), Tier::page)->pixels[2], 2);  // the second page
}

TEST(PageImages, SmallPagesReachTheFloorOfLow) {
  Book book(100, 50);
  const Image image = book.images.page(PageId(0), Tier::low);
  EXPECT_GE(pixels(image), 200'704);
  EXPECT_LE(pixels(image), 202'500);
  EXPECT_NEAR(static_cast<double>(image.width) / image.height, 2, 0.01);
}

TEST(PageImages, HugePagesAreRasterisedAtFewerDots) {
  Book book(4000, 4000);  // 123 million pixels at 200 dpi
  EXPECT_LE(pixels(book.images.page(PageId(0), Tier::fine)), tier_size(Tier::fine).most_pixels);
  EXPECT_LT(book.rasters.last_dpi, 74);
}

TEST(PageImages, LongThinPagesStayWithinTheCap) {
  Book book(3, 14'400);
  const Image image = book.images.page(PageId(0), Tier::thumb);
  EXPECT_EQ(size_of(image), std::pair(3, 14'400));
  EXPECT_LE(pixels(book.images.page(PageId(0), Tier::fine)), tier_size(Tier::fine).most_pixels);
  Book hair(0.5, 300'000);
  const Image line = hair.images.page(PageId(0), Tier::thumb);
  EXPECT_LE(pixels(line), tier_size(Tier::thumb).most_pixels);
  EXPECT_GE(line.width, 1);
}

TEST(PageImages, AreKeptAsLongAsThereIsRoom) {
  Book book(100, 50, {}, 2 * 100 * 50 * 3);
  const Image first = book.images.page(PageId(0), Tier::thumb);
  EXPECT_EQ(book.images.page(PageId(0), Tier::thumb)->pixels, first.pixels);
  EXPECT_EQ(book.rasters.count, 1);
  book.images.page(PageId(1), Tier::thumb);
  book.images.page(PageId(0), Tier::thumb);
  EXPECT_EQ(book.rasters.count, 2);
  book.images.crop(PageId(0), {0, 0, 100, 50}, Tier::thumb);  // drives out the second page
  EXPECT_EQ(book.rasters.count, 3);
  book.images.page(PageId(0), Tier::thumb);
  EXPECT_EQ(book.rasters.count, 3);
  book.images.page(PageId(1), Tier::thumb);
  EXPECT_EQ(book.rasters.count, 4);
}

TEST(PageImages, AskedForByManyThreadsAreMadeOnce) {
  const auto slow = [](int x, int y) {
    if (x == 0 && y == 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return x + y;
  };
  Book book(100, 50, slow);
  std::vector<std::thread> threads;
  std::vector<Image> seen(8);
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    const PageId page(i % 2);
    threads.emplace_back([&, i, page] { seen[i] = book.images.page(page, Tier::thumb); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(book.rasters.count, 2);
  for (const Image& one : seen) EXPECT_EQ(one.pixels, seen[0].pixels);
}

TEST(PageImages, ThatFailAreTriedAgain) {
  testing::SmallStore store;
  store.put("book.pdf", {page_of(100, 50)});
  const Corpus corpus(store.store());
  std::atomic<int> failures = 2;
  const PageImages images(corpus, std::make_unique<FailingPages>(&failures), kEnough);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(problem_of(ErrorCode::timed_out, [&] { images.page(PageId(0), Tier::page); }),
              "cannot show book.pdf, page 1: the worker took too long");
  }
  EXPECT_EQ(images.page(PageId(0), Tier::page)->width, 1);
}

TEST(PageImages, OfAPageThatCouldNotBeReadAreAnError) {
  testing::SmallStore store;
  Page bad;
  bad.problem = "the worker crashed";
  store.put("book.pdf", {page_of(100, 50), bad});
  const Corpus corpus(store.store());
  Rasters rasters;
  const PageImages images(corpus, std::make_unique<DrawnPages>(100, 50, &rasters), kEnough);
  const std::string problem =
      problem_of(ErrorCode::damaged, [&] { images.page(PageId(1), Tier::page); });
  EXPECT_NE(problem.find("book.pdf, page 2"), std::string::npos) << problem;
  EXPECT_NE(problem.find("the worker crashed"), std::string::npos) << problem;
  EXPECT_EQ(rasters.count, 0);
  EXPECT_THROW(images.page(PageId(2), Tier::page), Error);  // there is no third page
}

TEST(PageCrops, AreThePixelsThatTheBoxTouches) {
  Book book(595, 842);
  const Image crop =
      book.images.crop(PageId(1), {36, 72, 90.25F, 108}, Tier::page);  // 2 pixels a point
  ASSERT_EQ(size_of(crop), std::pair(109, 72));
  EXPECT_EQ(crop.row(0)[0], 72);
  EXPECT_EQ(crop.row(0)[1], 144);
  EXPECT_EQ(crop.row(71)[3 * 108], 180);
  EXPECT_EQ(crop.row(71)[3 * 108 + 1], 215);
  EXPECT_EQ(crop.row(0)[2], 2);
  EXPECT_EQ(book.rasters.last_dpi, 144);
  const Image fine = book.images.crop(PageId(1), {36, 72, 90, 108}, Tier::fine);
  EXPECT_EQ(size_of(fine), std::pair(150, 100));
}

TEST(PageCrops, SeeMoreOfAPartThanThePageDoes) {
  Book book(2000, 2000);
  const Image page = book.images.page(PageId(0), Tier::page);
  const Image part = book.images.crop(PageId(0), {0, 0, 500, 500}, Tier::page);
  EXPECT_LT(page.width, 1002);
  EXPECT_EQ(part.width, 1000);
  const Image whole = book.images.crop(PageId(0), {-50, -50, 5000, 5000}, Tier::page);
  EXPECT_EQ(size_of(whole), size_of(page));
}

TEST(PageCrops, OfAnythingOnThePageHaveAPixel) {
  Book book(100, 50);
  const float edge = std::nextafter(100.0F, 0.0F);
  EXPECT_EQ(size_of(book.images.crop(PageId(0), {edge, 49, 100, 50}, Tier::thumb)),
            std::pair(1, 1));
  EXPECT_EQ(size_of(book.images.crop(PageId(0), {10, 10, 10.01F, 10.01F}, Tier::thumb)),
            std::pair(1, 1));
}

TEST(PageCrops, OutsideThePageAreAnError) {
  Book book(100, 50);
  const float nan = std::nanf("");
  for (const Box& box : {Box{100, 0, 120, 50}, Box{10, 10, 10, 20}, Box{20, 10, 10, 20},
                         Box{nan, 0, 10, 10}, Box{0, 0, 10, nan}}) {
    const std::string problem =
        problem_of(ErrorCode::input, [&] { book.images.crop(PageId(1), box, Tier::thumb); });
    EXPECT_NE(problem.find("book.pdf, page 2: the box"), std::string::npos) << problem;
    EXPECT_NE(problem.find("100 x 50 points"), std::string::npos) << problem;
  }
}

TEST(PageCrops, OfAPageOfUnknownSizeGoByItsPicture) {
  testing::SmallStore store;
  store.put("book.pdf", {testing::typed_page({"x"})});
  const Corpus corpus(store.store());
  Rasters rasters;
  const PageImages images(corpus, std::make_unique<DrawnPages>(100, 50, &rasters), kEnough);
  EXPECT_EQ(size_of(images.page(PageId(0), Tier::page)), std::pair(200, 100));
  EXPECT_EQ(size_of(images.crop(PageId(0), {50, 0, 80, 25}, Tier::page)), std::pair(60, 50));
}

}  // namespace
}  // namespace fineprint::session
