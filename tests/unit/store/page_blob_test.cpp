// Pages come back exactly, and damaged blobs are refused.
#include "store/page_blob.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/hash.h"

#include "sample.h"
#include "store/bytes.h"

namespace fineprint::store {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Page decoded(const std::string& blob, int number) {
  Page page;
  page.number = number;
  decode_page(bytes_of(blob), &page);
  return page;
}

Page odd_page() {
  Page page;
  page.number = 70'000;
  page.words = {{"naïve", {0.1F, -3.5F, 1e20F, 7}, 12.34F, 1, true, false},
                {"x", {2, -3.5F, 3, 7}, 12.34F, 0.25F, false, true},
                {std::string("\0b", 2), {4, 1, 5, 2}, 0, 0, true, true}};
  page.lines = {{1, 2, {0, 0, 9, 9}}, {0, 1, page.words[0].box}, {0, 0, {}}};
  return page;
}

TEST(PageBlob, GivesBackWhatWentIn) {
  const Page page = odd_page();
  const Page back = decoded(encode_page(page), page.number);
  EXPECT_EQ(back.words, page.words);
  EXPECT_EQ(back.lines, page.lines);
}

TEST(PageBlob, KeepsHiddenTextAndNoByteMoreWithoutIt) {
  Page page = odd_page();
  const std::size_t without = encode_page(page).size();
  page.hidden = "naïve\nwhite on white";
  const std::string blob = encode_page(page);
  const Page back = decoded(blob, page.number);
  EXPECT_EQ(back.hidden, page.hidden);
  EXPECT_EQ(back.lines, page.lines);
  EXPECT_EQ(blob.size(), without + page.hidden.size() + 1);  // its length takes a byte
  EXPECT_EQ(blob[0], 2);
  EXPECT_EQ(encode_page(odd_page())[0], 1);
}

TEST(PageBlob, KeepsStatedCells) {
  Page page = odd_page();
  page.elements.resize(2);
  page.elements[1].cells = {{0, 0, 2, 1, true, 1, 2, ""}, {0, 300, 1, 70, false, 0, 0, "naïve"}};
  Page back;
  back.number = page.number;
  back.elements.resize(2);  // elements are stored elsewhere
  decode_page(bytes_of(encode_page(page)), &back);
  EXPECT_EQ(back.elements, page.elements);
  EXPECT_EQ(back.hidden, "");
  back.elements.clear();
  EXPECT_THROW(decode_page(bytes_of(encode_page(page)), &back), BlobDamage);
  page.elements[1].cells[0].word_count = 3;
  back.elements.resize(2);
  EXPECT_THROW(decode_page(bytes_of(encode_page(page)), &back), BlobDamage);
}

TEST(PageBlob, HoldsAnEmptyPage) {
  Page page;
  page.number = 1;
  const Page back = decoded(encode_page(page), 1);
  EXPECT_TRUE(back.words.empty());
  EXPECT_TRUE(back.lines.empty());
}

TEST(PageBlob, TakesAboutFifteenBytesAWord) {
  std::mt19937 random(1);
  const Page page = testing::sample_page(1, {.pages = 1, .words_a_page = 500}, random);
  EXPECT_LT(encode_page(page).size(), 500 * 16);
}

TEST(PageBlob, RefusesEveryFlippedByte) {
  const std::string good = encode_page(odd_page());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_THROW(decoded(bad, 70'000), BlobDamage) << "byte " << i;
  }
}

TEST(PageBlob, RefusesEveryTruncation) {
  const std::string good = encode_page(odd_page());
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(decoded(good.substr(0, size), 70'000), BlobDamage) << "size " << size;
  }
}

TEST(PageBlob, RefusesThePageOfAnotherNumber) {
  EXPECT_THROW(decoded(encode_page(odd_page()), 2), BlobDamage);
}

// Damage that a checksum does not show: the reader must stay inside the blob whatever it says.
TEST(PageBlob, StaysInsideWhenTheChecksumIsRightButTheContentIsNot) {
  const std::string good = encode_page(odd_page());
  const std::string payload = good.substr(0, good.size() - 8);
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string bad = payload.substr(0, 1 + random() % payload.size());
    for (int flips = 0; flips < 3; ++flips)
      bad[random() % bad.size()] = static_cast<char>(random());
    ByteWriter sealed;
    sealed.raw(bad);
    sealed.u64(checksum(bad));
    try {
      const Page page = decoded(sealed.bytes(), 70'000);
      for (const Line& line : page.lines) {
        ASSERT_LE(std::uint64_t{line.first_word} + line.word_count, page.words.size());
      }
    } catch (const BlobDamage&) {
    }
  }
}

}  // namespace
}  // namespace fineprint::store
