// Workers on real documents: order, failures, crashes, overruns, several threads.
#include "fineprint/documents/document_workers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/image/clean.h"
#include "fineprint/image/codec.h"

#include "reading/turning.h"
#include "support/docs.h"
#include "support/small_pictures.h"
#include "support/stored_zip.h"
#include "support/temp_dir.h"

namespace fineprint::documents {
namespace {

using fineprint::testing::docs;
using fineprint::testing::TempDir;

const std::string kOdd = std::string(FINEPRINT_TEST_DATA) + "/odd/";
const std::string kReport = docs("harbor-annual-report.pdf");

// Makes the workers that start while it lives fail as main.cpp describes.
class Fault {
 public:
  explicit Fault(const std::string& text) { setenv("FINEPRINT_TEST_FAULT", text.c_str(), 1); }
  ~Fault() { unsetenv("FINEPRINT_TEST_FAULT"); }
};

DocumentWorkerOptions with_workers(int workers, double seconds = 60) {
  DocumentWorkerOptions options;
  options.workers = workers;
  options.limits.wall_seconds = seconds;
  return options;
}

std::vector<Page> read_all(DocumentWorkers& workers, const std::string& path,
                           const ReadOptions& options = {}) {
  std::vector<Page> pages;
  const DocumentInfo info = workers.info(path, options);
  workers.read_pages(path, info, options, [&](Page page) { pages.push_back(std::move(page)); });
  return pages;
}

std::optional<ErrorCode> code_of(DocumentWorkers& workers, const std::string& path,
                                 const ReadOptions& options = {}) {
  try {
    workers.info(path, options);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(std::filesystem::path(path).filename().string()),
              std::string::npos)
        << error.what();
    return error.code();
  }
  return std::nullopt;
}

// Every page but `bad` is whole; `bad` says why it is not.
void expect_one_bad_page(const std::vector<Page>& pages, int bad, const std::string& reason) {
  ASSERT_EQ(pages.size(), 11U);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    EXPECT_EQ(pages[i].number, static_cast<int>(i) + 1);
    if (pages[i].number == bad) {
      EXPECT_NE(pages[i].problem.find(reason), std::string::npos) << pages[i].problem;
      EXPECT_TRUE(pages[i].words.empty());
    } else {
      EXPECT_EQ(pages[i].problem, "");
      EXPECT_FALSE(pages[i].words.empty());
    }
  }
}

TEST(DocumentWorkers, PagesArriveInOrderAndEqualWhateverTheWorkers) {
  DocumentWorkers one(with_workers(1)), three(with_workers(3));
  const std::vector<Page> pages = read_all(one, kReport);
  const std::vector<Page> again = read_all(three, kReport);
  expect_one_bad_page(pages, 0, "");
  ASSERT_EQ(pages.size(), again.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    EXPECT_EQ(pages[i].words, again[i].words);
    EXPECT_EQ(pages[i].elements, again[i].elements);
  }
}

TEST(DocumentWorkers, InfoAndRaster) {
  DocumentWorkers workers(with_workers(1));
  const DocumentInfo info = workers.info(kReport, {});
  EXPECT_EQ(info.page_count, 11);
  EXPECT_FALSE(info.outline.empty());
  const Image image = workers.raster(kReport, 1, 36, true, {});
  EXPECT_EQ(image.channels, 1);
  EXPECT_GT(image.width, 200);
  EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(image.width) * image.height);
}

TEST(DocumentWorkers, BadDocumentsNameTheirReason) {
  DocumentWorkers workers(with_workers(1));
  EXPECT_EQ(code_of(workers, kOdd + "empty.pdf"), ErrorCode::empty);
  EXPECT_EQ(code_of(workers, kOdd + "truncated.pdf"), ErrorCode::damaged);
  EXPECT_EQ(code_of(workers, kOdd + "missing.pdf"), ErrorCode::unreadable);
  EXPECT_EQ(code_of(workers, kOdd + "encrypted.pdf"), ErrorCode::encrypted);
  ReadOptions options;
  options.passwords = {"wrong"};
  EXPECT_EQ(code_of(workers, kOdd + "encrypted.pdf", options), ErrorCode::wrong_password);
  options.passwords = {"wrong", "secret"};
  EXPECT_EQ(code_of(workers, kOdd + "encrypted.pdf", options), std::nullopt);
  EXPECT_EQ(code_of(workers, kOdd + "good.pdf"), std::nullopt);
}

TEST(DocumentWorkers, TooManyPages) {
  DocumentWorkerOptions options = with_workers(1);
  options.limits.max_pages = 10;
  DocumentWorkers workers(options);
  EXPECT_EQ(code_of(workers, kReport), ErrorCode::too_large);
}

TEST(DocumentWorkers, ScansAreRecognized) {
  DocumentWorkers workers(with_workers(2));
  const std::vector<Page> pages = read_all(workers, docs("scanned-letter.pdf"));
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].source, TextSource::ocr);
  EXPECT_GT(pages[0].words.size(), 50U);
  for (const Word& word : pages[0].words) {
    EXPECT_GE(word.box.x0, -2);
    EXPECT_LE(word.box.x1, pages[0].width_pt + 2);
  }
  ReadOptions never;
  never.ocr = OcrMode::never;
  EXPECT_TRUE(read_all(workers, docs("scanned-letter.pdf"), never)[0].words.empty());
}

TEST(DocumentWorkers, PagesMayWaitForOcr) {
  DocumentWorkers workers(with_workers(2));
  ReadOptions later;
  later.ocr = OcrMode::later;
  for (const Page& page : read_all(workers, docs("scanned-letter.pdf"), later)) {
    EXPECT_TRUE(page.waits);
    EXPECT_TRUE(page.words.empty());
    EXPECT_EQ(page.problem, "");
    EXPECT_EQ(page.source, TextSource::none);
    EXPECT_GT(page.width_pt, 100);
  }
  const std::vector<Page> native = read_all(workers, kReport);
  const std::vector<Page> soon = read_all(workers, kReport, later);
  ASSERT_EQ(soon.size(), native.size());
  for (std::size_t i = 0; i < soon.size(); ++i) {
    EXPECT_FALSE(native[i].waits);
    EXPECT_TRUE(soon[i].waits || soon[i].words == native[i].words);
  }
}

// Its font says which glyphs, but not which letters.
TEST(DocumentWorkers, ATextLayerWithoutMeaningIsToldWhereThereIsNoOcr) {
  const TempDir dir;
  const std::string path = dir.write(
      "glyphs.pdf",
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
      "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R"
      "/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
      "4 0 obj<</Length 63>>stream\n"
      "BT /F 12 Tf 40 200 Td <E001E002E003E004E005E006E007E008> Tj ET \nendstream endobj\n"
      "5 0 obj<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts"
      "[<</Type/Font/Subtype/CIDFontType2/BaseFont/Odd/CIDSystemInfo"
      "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>endobj\n"
      "trailer<</Root 1 0 R>>\n");
  DocumentWorkers workers(with_workers(1));
  ReadOptions options;
  options.ocr = OcrMode::never;
  const std::vector<Page> pages = read_all(workers, path, options);
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_NE(pages[0].problem.find("--ocr auto"), std::string::npos) << pages[0].problem;
  EXPECT_EQ(read_all(workers, kReport, options)[0].problem, "");
}

// A book of one scanned page, askew by two degrees, put in each way round.
TEST(DocumentWorkers, EachPageIsReadTheWayItStands) {
  constexpr double kDpi = 150;
  DocumentWorkers workers(with_workers(2));
  Image scan = workers.raster(docs("reef-survey-paper.pdf"), 4, kDpi, true, {});
  scan = image::rotate(scan, 2);
  std::vector<fineprint::testing::ZipMember> members;
  for (int quarters = 0; quarters < 4; ++quarters) {
    const auto png = image::encode_png(image::quarter_turned(scan, quarters));
    members.push_back({format("{}.png", quarters), {png.begin(), png.end()}});
  }
  const TempDir folder;
  const std::vector<Page> pages =
      read_all(workers, folder.write("scans.cbz", fineprint::testing::stored_zip(members)));
  ASSERT_EQ(pages.size(), 4U);
  ASSERT_GT(pages[0].words.size(), 80U);
  // The upright page's words, where they would stand on it after the quarters.
  for (int quarters = 1; quarters < 4; ++quarters) {
    const Page& turned = pages[static_cast<std::size_t>(quarters)];
    EXPECT_EQ(turned.source, TextSource::ocr);
    EXPECT_EQ(turned.width_pt, quarters % 2 == 1 ? pages[0].height_pt : pages[0].width_pt);
    std::size_t found = 0;
    for (const Word& word : pages[0].words) {
      pdf::RawPage frame;
      frame.width_pt = pages[0].width_pt;
      frame.height_pt = pages[0].height_pt;
      frame.images = {word.box};
      reading::turn_frame(frame, quarters);
      found += std::any_of(turned.words.begin(), turned.words.end(), [&](const Word& other) {
        const float shared = intersected(other.box, frame.images[0]).area();
        return other.text == word.text && shared > 0.5F * frame.images[0].area();
      });
    }
    EXPECT_GT(static_cast<double>(found), 0.9 * static_cast<double>(pages[0].words.size()))
        << quarters;
    EXPECT_EQ(turned.lines.size(), pages[0].lines.size()) << quarters;
  }
}

TEST(DocumentWorkers, MissingLanguageEndsTheDocument) {
  DocumentWorkers workers(with_workers(1));
  ReadOptions options;
  options.ocr_languages = "xyz";
  EXPECT_THROW(read_all(workers, docs("scanned-letter.pdf"), options), Error);
}

TEST(DocumentWorkers, APageOfAKindThatIsNotReadCostsOnlyItself) {
  using fineprint::testing::TiffPage;
  TempDir dir;
  const std::string path =
      dir.write("a.tiff", fineprint::testing::small_tiff({TiffPage{8, 3, true}, TiffPage{}}));
  DocumentWorkers workers(with_workers(1));
  const std::vector<Page> pages = read_all(workers, path);
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].problem.substr(0, 12), "unsupported:") << pages[0].problem;
  EXPECT_EQ(pages[1].problem, "");
}

TEST(DocumentWorkers, CrashCostsOnePage) {
  const Fault fault("abort 4");
  DocumentWorkers workers(with_workers(2));
  expect_one_bad_page(read_all(workers, kReport), 4, "crashed (signal 6)");
}

TEST(DocumentWorkers, CrashThatDoesNotRepeatCostsNothing) {
  TempDir dir;
  const Fault fault("abort 4 " + dir.file("once"));
  DocumentWorkers workers(with_workers(2));
  expect_one_bad_page(read_all(workers, kReport), 0, "");
  EXPECT_EQ(std::filesystem::file_size(dir.file("once")), 4U);
}

TEST(DocumentWorkers, EarlyExitCostsOnePage) {
  const Fault fault("exit 11");
  DocumentWorkers workers(with_workers(1));
  expect_one_bad_page(read_all(workers, kReport), 11, "exit code 3");
}

TEST(DocumentWorkers, HangingPageIsKilledAfterItsTime) {
  const Fault fault("hang 2");
  DocumentWorkers workers(with_workers(2, 1.5));
  const auto start = std::chrono::steady_clock::now();
  expect_one_bad_page(read_all(workers, kReport), 2, "timed_out");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 20);
}

TEST(DocumentWorkers, SpinningPageIsEndedByItsProcessorTimeLongBeforeTheClock) {
  const Fault fault("spin 2");
  DocumentWorkerOptions options = with_workers(1, 1000);
  options.limits.cpu_seconds = 1;
  DocumentWorkers workers(options);
  expect_one_bad_page(read_all(workers, kReport), 2, "timed_out: needs more than 1 seconds of CPU");
}

TEST(DocumentWorkers, WaitingPageUsesNoProcessorTime) {
  const Fault fault("wait 2");
  DocumentWorkerOptions options = with_workers(1, 1000);
  options.limits.cpu_seconds = 1;
  DocumentWorkers workers(options);
  expect_one_bad_page(read_all(workers, kReport), 0, "");
}

TEST(DocumentWorkers, TextPastTheLimitIsCutAndThePageSaysSo) {
  DocumentWorkerOptions options = with_workers(1);
  options.limits.max_characters = 500;
  DocumentWorkers workers(options);
  const std::vector<Page> pages = read_all(workers, kReport);
  const std::vector<Page> whole =
      read_all(*std::make_unique<DocumentWorkers>(with_workers(1)), kReport);
  int cut = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    std::size_t characters = 0;
    for (const Word& word : pages[i].words) characters += word.text.size();
    EXPECT_LE(characters, 520U);  // bytes
    EXPECT_FALSE(pages[i].words.empty());
    if (pages[i].problem.empty()) {
      EXPECT_EQ(pages[i].words, whole[i].words);
    } else {
      EXPECT_EQ(
          pages[i].problem,
          "too_large: the page has more than 500 characters; the rest of its text is left out");
      EXPECT_LT(pages[i].words.size(), whole[i].words.size());
      ++cut;
    }
  }
  EXPECT_GT(cut, 5);
}

TEST(DocumentWorkers, PagesOverTheLimitOfPixelsAreRecognizedSmallerAndNotDrawn) {
  DocumentWorkerOptions options = with_workers(1);
  options.limits.max_pixels = 1'500'000;  // a sheet at 200 dpi has 3.7 million
  DocumentWorkers workers(options);
  const std::vector<Page> pages = read_all(workers, docs("scanned-letter.pdf"));
  EXPECT_EQ(pages[0].problem, "");
  EXPECT_GT(pages[0].words.size(), 50U);
  for (const Word& word : pages[0].words) {  // boxes are points of the page all the same
    EXPECT_LE(word.box.x1, pages[0].width_pt + 2);
    EXPECT_LE(word.box.y1, pages[0].height_pt + 2);
  }
  EXPECT_GT(pages[0].words.back().box.y0, pages[0].height_pt / 2);
  try {
    workers.raster(docs("scanned-letter.pdf"), 1, 200, true, {});
    ADD_FAILURE() << "drawn";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::too_large) << error.what();
  }
  EXPECT_GT(workers.raster(docs("scanned-letter.pdf"), 1, 72, true, {}).width, 500);
}

TEST(DocumentWorkers, SlowCallerDoesNotMakePagesLate) {
  DocumentWorkers workers(with_workers(2, 1));
  int count = 0;
  const DocumentInfo info = workers.info(kReport, {});
  workers.read_pages(kReport, info, {}, [&](Page page) {
    EXPECT_EQ(page.problem, "");
    if (++count == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  });
  EXPECT_EQ(count, 11);
}

TEST(DocumentWorkers, SwellingPageIsStopped) {
  const Fault fault("swell 3");
  DocumentWorkerOptions options = with_workers(1);
  options.limits.memory_bytes = std::int64_t{1} << 30;
  DocumentWorkers workers(options);
  expect_one_bad_page(read_all(workers, kReport), 3, "out_of_memory");
}

TEST(DocumentWorkers, WorkerThatTalksNonsenseIsNotBelieved) {
  const Fault fault("garble 0");
  DocumentWorkers workers(with_workers(1, 5));
  EXPECT_EQ(code_of(workers, kReport), ErrorCode::crashed);
}

TEST(DocumentWorkers, WorkerThatStopsIsKilled) {
  const Fault fault("stop 3");
  DocumentWorkers workers(with_workers(1, 60));
  const auto start = std::chrono::steady_clock::now();
  expect_one_bad_page(read_all(workers, kReport), 3, "crashed");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(DocumentWorkers, WorkerThatBabblesIsNotWaitedFor) {
  const Fault fault("babble 3");
  DocumentWorkers workers(with_workers(2, 60));
  const auto start = std::chrono::steady_clock::now();
  expect_one_bad_page(read_all(workers, kReport), 3,
                      "crashed: its document worker sent an invalid answer");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(DocumentWorkers, ErrorsThatNoDocumentHasAreNotBelieved) {
  const Fault fault("lie 3");
  DocumentWorkers workers(with_workers(1));
  try {
    read_all(workers, kReport);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::crashed) << error.what();
  }
}

TEST(DocumentWorkers, ADocumentThatLosesEveryPageIsGivenUp) {
  const Fault fault("abort -1");
  DocumentWorkers workers(with_workers(1));
  const std::vector<Page> pages = read_all(workers, kReport);
  ASSERT_EQ(pages.size(), 11U);
  int untried = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    EXPECT_EQ(pages[i].number, static_cast<int>(i) + 1);
    EXPECT_TRUE(pages[i].problem.starts_with("crashed: ")) << pages[i].problem;
    untried += pages[i].problem.find("not tried") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(untried, 3);
}

// A PDF of `count` pages with few words each, of which OCR might find more.
std::string few_words(int count, const std::string& box) {
  std::string pages, kids;
  for (int i = 0; i < count; ++i) {
    const std::string text = format("BT /F 12 Tf 40 200 Td (Pump house {}) Tj ET", i + 1);
    kids += format("{} 0 R ", 10 + 2 * i);
    pages += format(
        "{} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[{}]/Contents {} 0 R"
        "/Resources<</Font<</F 5 0 R>>>>>>endobj\n{} 0 obj<</Length {}>>stream\n{}\nendstream "
        "endobj\n",
        10 + 2 * i, box, 11 + 2 * i, 11 + 2 * i, text.size(), text);
  }
  return format(
             "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
             "2 0 obj<</Type/Pages/Kids[{}]/Count {}>>endobj\n"
             "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n",
             kids, count) +
         pages + "trailer<</Root 1 0 R>>\n";
}

void expect_text_only(const Page& page, const std::string& reason) {
  EXPECT_NE(page.problem.find(reason), std::string::npos) << page.problem;
  EXPECT_NE(page.problem.find("text layer are kept"), std::string::npos) << page.problem;
  ASSERT_EQ(page.words.size(), 3U);
  EXPECT_EQ(page.words[0].text, "Pump");
  EXPECT_EQ(page.source, TextSource::native);
  EXPECT_FALSE(page.elements.empty());
}

TEST(DocumentWorkers, APageThatEndsItsReaderWhenItIsDrawnKeepsItsTextLayer) {
  const TempDir dir;
  const std::string path = dir.write("few.pdf", few_words(3, "0 0 300 300"));
  for (const auto& [fault, reason] : {std::pair("draw-abort 2", "crashed: "),
                                      std::pair("draw-hang 2", "timed_out: not read within")}) {
    const Fault active(fault);
    DocumentWorkers workers(with_workers(1, 3));
    const std::vector<Page> pages = read_all(workers, path);
    ASSERT_EQ(pages.size(), 3U);
    expect_text_only(pages[1], reason);
    EXPECT_EQ(pages[0].problem, "");
    EXPECT_EQ(pages[2].problem, "");
  }
}

TEST(DocumentWorkers, APageTooLargeToBeDrawnKeepsItsTextLayer) {
  const TempDir dir;
  const std::string path = dir.write("huge.pdf", few_words(1, "0 0 10000000 10000000"));
  DocumentWorkers workers(with_workers(1));
  const std::vector<Page> pages = read_all(workers, path);
  ASSERT_EQ(pages.size(), 1U);
  expect_text_only(pages[0], "too_large: ");
}

// A set of drawings: after the first that can't be drawn the others keep their text, undrawn.
TEST(DocumentWorkers, ADocumentWhosePagesCannotBeDrawnIsReadByItsTextLayers) {
  const TempDir dir;
  const std::string path = dir.write("drawings.pdf", few_words(12, "0 0 300 300"));
  const Fault fault("draw-abort -1");
  DocumentWorkers workers(with_workers(1));
  const std::vector<Page> pages = read_all(workers, path);
  ASSERT_EQ(pages.size(), 12U);
  for (const Page& page : pages) expect_text_only(page, "crashed: ");
  EXPECT_NE(pages[0].problem.find("signal 6"), std::string::npos) << pages[0].problem;
  EXPECT_NE(pages[11].problem.find("not drawn, because 8 other pages"), std::string::npos)
      << pages[11].problem;
}

// With its time for itself a page would run out of it again.
TEST(DocumentWorkers, APageThatRanOutOfTimeIsNotTriedAgain) {
  TempDir dir;
  const Fault fault("hang 2 " + dir.file("once"));
  DocumentWorkers workers(with_workers(2, 1.5));
  expect_one_bad_page(read_all(workers, kReport), 2, "timed_out");
}

TEST(DocumentWorkers, WorkerThatCannotStartIsAnError) {
  DocumentWorkerOptions options = with_workers(1);
  options.program = "/nonexistent/program";
  DocumentWorkers workers(options);
  EXPECT_THROW(workers.info(kReport, {}), Error);
  EXPECT_THROW(workers.info(kReport, {}), Error);  // the place in the pool was given back
}

TEST(DocumentWorkers, ThrowingCallerLeavesThePoolUsable) {
  DocumentWorkers workers(with_workers(2));
  const DocumentInfo info = workers.info(kReport, {});
  EXPECT_THROW(
      workers.read_pages(kReport, info, {}, [](const Page&) { throw std::runtime_error("full"); }),
      std::runtime_error);
  expect_one_bad_page(read_all(workers, kReport), 0, "");
}

TEST(DocumentWorkers, SeveralThreadsShareTheWorkers) {
  DocumentWorkers workers(with_workers(2));
  std::atomic<int> pages = 0;
  parallel_for(6, 6, [&](std::size_t i) {
    if (i % 3 == 0) {
      EXPECT_GT(workers.raster(kReport, 2, 20, true, {}).width, 0);
    } else {
      pages += static_cast<int>(read_all(workers, kReport).size());
    }
  });
  EXPECT_EQ(pages, 4 * 11);
}

TEST(DocumentWorkers, InterruptEndsReading) {
  DocumentWorkers workers(with_workers(2));
  const DocumentInfo info = workers.info(kReport, {});
  try {
    workers.read_pages(kReport, info, {}, [](const Page&) { set_interrupted(true); });
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  set_interrupted(false);
}

// Children of this process, zombies included.
int count_children() {
  int children = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream stat(entry.path() / "stat");
    std::string text;
    if (!std::getline(stat, text)) continue;
    const std::size_t after = text.rfind(')');
    if (after == std::string::npos) continue;
    if (std::atol(text.c_str() + after + 4) == getpid()) ++children;
  }
  return children;
}

TEST(DocumentWorkers, LeavesNoProcessBehind) {
  const int before = count_children();
  {
    DocumentWorkers workers(with_workers(2));
    read_all(workers, kReport);
    EXPECT_GT(count_children(), before);
  }
  EXPECT_EQ(count_children(), before);
}

}  // namespace
}  // namespace fineprint::documents
