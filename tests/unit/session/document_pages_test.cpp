// Page images of real files, by worker processes; files that are gone or have changed.
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/hash.h"
#include "fineprint/image/clean.h"
#include "fineprint/session/page_images.h"
#include "fineprint/session/source_file.h"

#include "support/temp_dir.h"

namespace fineprint::session {
namespace {

namespace fs = std::filesystem;

const documents::DocumentWorkerOptions kOneWorker{1, {}, {}, {}};

// By the weights of ITU-R BT.601, as OpenCV computes it.
Image grey_of(const Image& rgb) {
  std::vector<std::uint8_t> grey;
  for (std::size_t i = 0; i + 2 < rgb.pixels.size(); i += 3) {
    const int sum = 299 * rgb.pixels[i] + 587 * rgb.pixels[i + 1] + 114 * rgb.pixels[i + 2] + 500;
    grey.push_back(static_cast<std::uint8_t>(sum / 1000));
  }
  return {rgb.width, rgb.height, 1, std::move(grey)};
}

// A store of copies of files of tests/data/docs.
class DocumentPagesTest : public ::testing::Test {
 protected:
  std::string put(const std::string& name) {
    const std::string path = dir_.file(name);
    fs::copy_file(fs::path(FINEPRINT_TEST_DATA) / "docs" / name, path);
    store::NewDocument document;
    document.row.doc = name;
    document.row.path = path;
    document.row.hash = file_hash(path);
    document.row.stamp = stamp_of(path);
    documents::DocumentWorkers reader(kOneWorker);
    document.info = reader.info(path, {});
    reader.read_pages(path, document.info, {},
                      [&](Page page) { document.pages.push_back(std::move(page)); });
    document.row.page_count = static_cast<int>(document.pages.size());
    store_.put(document);
    return path;
  }

  Image page(const std::string& name, Tier tier) {
    const Corpus corpus(store_);
    const PageImages images(corpus, document_pages(kOneWorker, {}), 0);
    return images.page(corpus.documents()[corpus.pool({name}).front().value].first_page, tier);
  }

  std::string problem(const std::string& name) {
    try {
      page(name, Tier::thumb);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unreadable);
      return error.what();
    }
    return "";
  }

  testing::TempDir dir_;
  store::Store store_{dir_.file("store"), store::Mode::write};
};

TEST_F(DocumentPagesTest, AreDrawnUprightAndInsideTheCaps) {
  put("harbor-annual-report.pdf");
  put("rotated-table.pdf");
  for (const std::string name : {"harbor-annual-report.pdf", "rotated-table.pdf"}) {
    const Page stored = store_.page(store_.find(name)->id, 1);
    for (const Tier tier : {Tier::thumb, Tier::low, Tier::page, Tier::fine}) {
      const Image image = page(name, tier);
      const std::int64_t pixels = std::int64_t{image.width} * image.height;
      EXPECT_LE(pixels, tier_size(tier).most_pixels);
      EXPECT_GE(pixels, tier_size(tier).fewest_pixels);
      EXPECT_EQ(image.channels, 3);
      EXPECT_NEAR(static_cast<double>(image.width) / image.height,
                  stored.width_pt / stored.height_pt, 0.01);
      const double ink = image::ink_share(grey_of(image));
      EXPECT_GT(ink, 0.002);
      EXPECT_LT(ink, 0.5);
    }
  }
}

TEST_F(DocumentPagesTest, CropsHoldTheWordsOfTheirBox) {
  put("harbor-annual-report.pdf");
  const Corpus corpus(store_);
  const PageImages images(corpus, document_pages(kOneWorker, {}), 0);
  const Page stored = corpus.page(PageId(0));
  ASSERT_FALSE(stored.words.empty());
  const Box word = stored.words.front().box;
  const Image crop = images.crop(PageId(0), word, Tier::fine);
  EXPECT_NEAR(crop.width, word.width() * 200 / 72, 2);
  EXPECT_GT(image::ink_share(grey_of(crop)), 0.05);
}

TEST_F(DocumentPagesTest, OfAFileThatIsGoneSayWhatToDo) {
  const std::string path = put("rotated-table.pdf");
  fs::remove(path);
  const std::string told = problem("rotated-table.pdf");
  EXPECT_NE(told.find("rotated-table.pdf, page 1"), std::string::npos) << told;
  EXPECT_NE(told.find(path), std::string::npos) << told;
  EXPECT_NE(told.find("`fineprint index --prune`"), std::string::npos) << told;
}

TEST_F(DocumentPagesTest, OfAFileThatChangedSayWhatToDo) {
  const std::string path = put("rotated-table.pdf");
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(1));
  EXPECT_EQ(problem("rotated-table.pdf"), "");  // the same content at another time
  std::ofstream(path, std::ios::app) << "more";
  const std::string told = problem("rotated-table.pdf");
  EXPECT_NE(told.find("changed since it was indexed; run `fineprint index`"), std::string::npos)
      << told;
}

}  // namespace
}  // namespace fineprint::session
