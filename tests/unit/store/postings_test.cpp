// Packed postings, lengths and terms.
#include "store/postings.h"

#include <random>

#include <gtest/gtest.h>

#include "store/bytes.h"

namespace fineprint::store {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::vector<score::Posting> round_trip(const std::vector<score::Posting>& in) {
  std::vector<score::Posting> out;
  const std::string blob = encode_postings(in);
  decode_postings(bytes_of(blob), &out);
  return out;
}

TEST(Postings, ComeBackEqual) {
  const std::vector<score::Posting> in = {{0, 1}, {1, 3}, {2, 1}, {130, 0}, {4'000'000'000, 9}};
  const auto out = round_trip(in);
  ASSERT_EQ(out.size(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(out[i].unit, in[i].unit);
    EXPECT_EQ(out[i].frequency, in[i].frequency);
  }
}

TEST(Postings, TakeOneByteForATermOnceOnTheNextUnit) {
  EXPECT_EQ(encode_postings(std::vector<score::Posting>{{0, 1}, {1, 1}, {40, 1}}).size(), 3U);
}

TEST(Postings, RefuseTruncationAndEndlessNumbers) {
  std::vector<score::Posting> out;
  EXPECT_THROW(decode_postings(bytes_of("\x80"), &out), BlobDamage);
  EXPECT_THROW(decode_postings(bytes_of(std::string(20, '\xff')), &out), BlobDamage);
}

TEST(Lengths, ComeBackEqual) {
  const std::vector<std::uint32_t> lengths = {0, 1, 127, 128, 4'294'967'295};
  EXPECT_EQ(decode_lengths(bytes_of(encode_lengths(lengths))), lengths);
}

TEST(Terms, ComeBackEqualAndShareTheirBeginnings) {
  const std::vector<std::string_view> terms = {"account", "accountant", "accounting", "b", "é"};
  const std::string blob = encode_terms(terms);
  EXPECT_EQ(decode_terms(bytes_of(blob)), std::vector<std::string>(terms.begin(), terms.end()));
  EXPECT_LT(blob.size(), 30U);
}

TEST(Terms, RefuseAPrefixLongerThanTheTermBefore) {
  ByteWriter bad;
  bad.varint(5);
  bad.text("x");
  EXPECT_THROW(decode_terms(bytes_of(bad.bytes())), BlobDamage);
}

TEST(Blobs, NeverReadOutside) {
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string noise(random() % 24, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    std::vector<score::Posting> postings;
    try {
      decode_postings(bytes_of(noise), &postings);
    } catch (const BlobDamage&) {
    }
    try {
      decode_lengths(bytes_of(noise));
    } catch (const BlobDamage&) {
    }
    try {
      decode_terms(bytes_of(noise));
    } catch (const BlobDamage&) {
    }
  }
}

}  // namespace
}  // namespace fineprint::store
