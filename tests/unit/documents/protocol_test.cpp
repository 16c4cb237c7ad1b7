// What is packed comes back, and bytes that were never packed are refused.
#include "fineprint/documents/protocol.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace fineprint::documents {
namespace {

Page sample_page() {
  Page page;
  page.number = 7;
  page.label = "iv";
  page.width_pt = 612;
  page.height_pt = 792;
  page.rotation = 90;
  page.source = TextSource::ocr;
  page.hidden = "white on white";
  page.words = {{"Net", {1, 2, 3, 4}, 10, 0.5F, true, false},
                {"säles", {5, 2, 9, 4}, 10, 1, false, true}};
  page.lines = {{0, 2, {1, 2, 9, 4}}};
  page.elements = {{ElementKind::heading, {1, 2, 9, 4}, 0, 1, -1, 1, ""},
                   {ElementKind::figure, {1, 9, 9, 14}, 1, 0, 0, 0, "Figure 1"}};
  page.elements[1].cells = {{1, 0, 1, 2, true, 0, 2, ""}, {2, 0, 1, 1, false, 0, 0, "säles"}};
  return page;
}

TEST(Protocol, PageComesBack) {
  const Page page = sample_page();
  const Page back = unpack_page(pack(page));
  EXPECT_EQ(back.number, page.number);
  EXPECT_EQ(back.label, page.label);
  EXPECT_EQ(back.rotation, page.rotation);
  EXPECT_EQ(back.source, page.source);
  EXPECT_EQ(back.hidden, page.hidden);
  EXPECT_EQ(back.words, page.words);
  EXPECT_EQ(back.lines, page.lines);
  EXPECT_EQ(back.elements, page.elements);
  EXPECT_EQ(pack(back), pack(page));
}

TEST(Protocol, OthersComeBack) {
  const DocumentInfo info{"PDF 1.7", "A title", 3, true, {{1, "One", 1}, {2, "Two", 0}}};
  const DocumentInfo info_back = unpack_info(pack(info));
  EXPECT_EQ(info_back.title, "A title");
  EXPECT_TRUE(info_back.reflowable);
  ASSERT_EQ(info_back.outline.size(), 2U);
  EXPECT_EQ(info_back.outline[1].title, "Two");

  Task task;
  task.path = "/a b";
  task.files = {"/a b", "/a.json"};
  task.options.passwords = {"", "secret"};
  task.options.ocr = OcrMode::always;
  task.first_page = 4;
  task.dpi = 72.5;
  task.grey = true;
  task.place = kPicturePlaces - 1;
  const Task task_back = unpack_task(pack(task));
  EXPECT_EQ(task_back.options.passwords, task.options.passwords);
  EXPECT_EQ(task_back.files, task.files);
  EXPECT_EQ(task_back.options.ocr, OcrMode::always);
  EXPECT_EQ(pack(task_back), pack(task));
  for (const int place : {-1, kPicturePlaces}) {
    task.place = place;
    EXPECT_THROW(unpack_task(pack(task)), Error) << place;
  }

  const PictureSize size = unpack_picture_size(pack(PictureSize{2, 1, 3}));
  EXPECT_EQ(size.width, 2);
  EXPECT_EQ(size.height, 1);
  EXPECT_EQ(size.bytes(), 6U);
  const Error error = unpack_error(pack(Error(ErrorCode::encrypted, "x.pdf: needs a password")));
  EXPECT_EQ(error.code(), ErrorCode::encrypted);
  EXPECT_STREQ(error.what(), "x.pdf: needs a password");
  const Isolation isolation{true, false, true, false, true, false, "refused"};
  const Isolation isolation_back = unpack_isolation(pack(isolation));
  EXPECT_EQ(pack(isolation_back), pack(isolation));
  EXPECT_FALSE(isolation_back.no_writing);
  const WorkerLimits limits{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(pack(unpack_limits(pack(limits))), pack(limits));
  EXPECT_EQ(unpack_limits(pack(limits)).max_characters, 6);
}

TEST(Protocol, FramesArriveInPieces) {
  const std::string bytes = frame(MessageType::page, "first") + frame(MessageType::error, "") +
                            frame(MessageType::raster, "third");
  FrameParser parser;
  std::vector<std::string> payloads;
  for (const char byte : bytes) {
    parser.feed({&byte, 1});
    while (std::optional<Message> message = parser.next()) payloads.push_back(message->payload);
  }
  EXPECT_EQ(payloads, (std::vector<std::string>{"first", "", "third"}));
  EXPECT_TRUE(parser.empty());
}

TEST(Protocol, DamagedFramesAreRefused) {
  const std::string good = frame(MessageType::page, "some payload");
  for (std::size_t i = 0; i < good.size(); ++i) {
    if (i >= 12 && i < 16) continue;  // high bytes of the length: then more bytes are awaited
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    FrameParser parser;
    parser.feed(bad);
    try {
      EXPECT_FALSE(parser.next().has_value()) << "byte " << i;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::damaged);
    }
  }
  FrameParser huge;
  std::string header = good.substr(0, 24);
  header[15] = 0x7f;
  huge.feed(header);
  EXPECT_THROW(huge.next(), Error);
}

TEST(Protocol, TruncatedAndOverlongPagesAreRefused) {
  const std::string good = pack(sample_page());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(unpack_page(good.substr(0, size)), Error) << size;
  }
  EXPECT_THROW(unpack_page(good + "x"), Error);
}

TEST(Protocol, WildIndicesAreRefused) {
  Page page = sample_page();
  page.lines[0].word_count = 3;
  EXPECT_THROW(unpack_page(pack(page)), Error);
  page = sample_page();
  page.lines[0] = {0xFFFFFFFF, 2, {}};
  EXPECT_THROW(unpack_page(pack(page)), Error);
  page = sample_page();
  page.elements[1].parent = 2;
  EXPECT_THROW(unpack_page(pack(page)), Error);
  page.elements[1].parent = 1;  // its own
  EXPECT_THROW(unpack_page(pack(page)), Error);
  page = sample_page();
  page.words[0].text.clear();
  EXPECT_THROW(unpack_page(pack(page)), Error);
  page = sample_page();
  page.words[0].box.x0 = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(unpack_page(pack(page)), Error);
  for (const PictureSize& size :
       {PictureSize{1 << 30, 1 << 30, 3}, PictureSize{1 << 15, 1 << 14, 4}, PictureSize{0, 2, 1},
        PictureSize{2, -2, 1}, PictureSize{2, 2, 5}}) {
    EXPECT_THROW(unpack_picture_size(pack(size)), Error);
  }
}

TEST(Protocol, OutlinesWithGapsAreRefused) {
  const auto unpacked = [](const std::vector<int>& levels) {
    DocumentInfo info;
    for (const int level : levels) info.outline.push_back({level, "a", 1});
    return unpack_info(pack(info)).outline.size();
  };
  EXPECT_EQ(unpacked({1, 2, 3, 1, 2}), 5U);
  for (const int level : {0, -1, 2, std::numeric_limits<int>::max()}) {
    EXPECT_THROW(unpacked({level}), Error) << level;
  }
  EXPECT_THROW(unpacked({1, 3}), Error);
}

// Whatever the bytes, the answer is a page or an Error, and memory stays small.
TEST(Protocol, RandomDamageNeverEscapes) {
  const std::string good = pack(sample_page());
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (int i = 0; i < 3; ++i) bad[random() % bad.size()] = static_cast<char>(random());
    try {
      unpack_page(bad);
    } catch (const Error&) {
    }
    try {
      unpack_info(bad);
    } catch (const Error&) {
    }
    try {
      unpack_task(bad);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace fineprint::documents
