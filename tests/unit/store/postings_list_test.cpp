// Packed posting lists.
#include <random>

#include <gtest/gtest.h>

#include "store/postings/list.h"

namespace fineprint::store {
namespace {

using Postings = std::vector<score::Posting>;

constexpr std::uint32_t kUnits = 4'000'000'000;

bool operator==(const score::Posting& a, const score::Posting& b) {
  return a.unit == b.unit && a.frequency == b.frequency;
}

bool same(const Postings& a, const Postings& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x == y; });
}

std::string packed(const Postings& postings) {
  ByteWriter out;
  append_list(postings, &out);
  return out.bytes();
}

Postings unpacked(const std::string& list, std::uint32_t units = kUnits) {
  const std::string readable = list + std::string(kListPadding, '\0');
  Postings out{{7, 7}};  // what was there before stays
  decode_list({reinterpret_cast<const std::uint8_t*>(readable.data()), list.size()}, units, &out);
  EXPECT_EQ(out.at(0).unit, 7U);
  out.erase(out.begin());
  return out;
}

Postings drawn(std::size_t count, std::uint32_t largest_gap, std::uint32_t largest_frequency,
               unsigned seed) {
  std::mt19937 random(seed);
  Postings out;
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto unit = next + static_cast<std::uint32_t>(random() % (largest_gap + 1ULL));
    out.push_back({unit, 1 + static_cast<std::uint32_t>(random() % largest_frequency)});
    next = unit + 1;
  }
  return out;
}

TEST(PostingsListSize, IsReadWithoutTheList) {
  const auto size_of = [](const std::string& list, std::uint32_t units) {
    return read_list_size({reinterpret_cast<const std::uint8_t*>(list.data()), list.size()}, units);
  };
  EXPECT_EQ(size_of(packed(drawn(300, 5, 3, 1)), kUnits), 300U);
  EXPECT_EQ(size_of(packed({}), kUnits), 0U);
  EXPECT_THROW(size_of(packed(drawn(300, 5, 3, 1)), 299), BlobDamage);
  EXPECT_THROW(size_of("", kUnits), BlobDamage);
}

TEST(PostingLists, ComeBackEqual) {
  for (const Postings& postings : {Postings{}, Postings{{0, 1}},
                                   Postings{{0, 1}, {1, 3}, {2, 1}, {130, 0}, {3'999'999'999, 9}},
                                   Postings{{5, 4'294'967'295}}}) {
    EXPECT_TRUE(same(unpacked(packed(postings)), postings)) << postings.size();
  }
}

TEST(PostingLists, ComeBackEqualAtEveryLengthAroundABlock) {
  for (const std::size_t count : {127U, 128U, 129U, 255U, 256U, 257U, 1000U}) {
    for (const std::uint32_t gap : {0U, 1U, 300U, 1'000'000U}) {
      for (const std::uint32_t frequency : {1U, 2U, 70'000U}) {
        const Postings postings = drawn(count, gap, frequency, gap + frequency);
        EXPECT_TRUE(same(unpacked(packed(postings)), postings)) << count << " " << gap;
      }
    }
  }
}

TEST(PostingLists, ComeBackEqualAtTheirWidest) {
  Postings postings = drawn(127, 3, 2, 1);
  postings.insert(postings.begin(), score::Posting{0, 0});
  for (std::size_t i = 1; i < postings.size(); ++i) postings[i].unit += 3'999'999'000;
  EXPECT_TRUE(same(unpacked(packed(postings)), postings));
}

TEST(PostingLists, TakeOneByteForATermOnceOnTheNextUnit) {
  EXPECT_EQ(packed({{0, 1}, {1, 1}, {40, 1}}).size(), 4U);
}

TEST(PostingLists, TakeNoBitsForATermOnceOnEveryUnit) {
  EXPECT_EQ(packed(drawn(128, 0, 1, 1)).size(), 4U);  // count and two widths
}

TEST(PostingLists, RefuseUnitsThatAreNotThere) {
  for (const std::size_t count : {3U, 128U, 200U}) {
    const Postings postings = drawn(count, 4, 3, 2);
    const std::uint32_t units = postings.back().unit + 1;
    EXPECT_TRUE(same(unpacked(packed(postings), units), postings));
    EXPECT_THROW(unpacked(packed(postings), units - 1), BlobDamage);
  }
}

TEST(PostingLists, RefuseTruncationAndWhatFollows) {
  const std::string list = packed(drawn(300, 9, 9, 3));
  for (std::size_t size = 0; size < list.size(); ++size) {
    EXPECT_THROW(unpacked(list.substr(0, size)), BlobDamage) << size;
  }
  EXPECT_THROW(unpacked(list + "x"), BlobDamage);
  EXPECT_THROW(unpacked(std::string(20, '\xff')), BlobDamage);
}

TEST(PostingLists, NeverReadOutside) {
  std::mt19937 random(3);
  const std::string good = packed(drawn(300, 9, 9, 3));
  for (int round = 0; round < 20'000; ++round) {
    std::string noise = round % 2 == 0 ? std::string(random() % 24, '\0') : good;
    for (std::size_t i = 0; i < (round % 2 == 0 ? noise.size() : 3); ++i) {
      noise[random() % noise.size()] = static_cast<char>(random());
    }
    try {
      for (const auto& posting : unpacked(noise, 5000)) EXPECT_LT(posting.unit, 5000U);
    } catch (const BlobDamage&) {
    }
  }
}

}  // namespace
}  // namespace fineprint::store
