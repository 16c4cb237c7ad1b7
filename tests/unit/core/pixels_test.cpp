// Pixels of a picture's own, and those that somebody lends.
#include "fineprint/core/pixels.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

// Memory that counts how often it came back.
struct Lender {
  std::vector<std::uint8_t> bytes = {1, 2, 3, 4};
  int returned = 0;

  Pixels lend() {
    return {std::shared_ptr<void>(bytes.data(), [this](void*) { ++returned; }), bytes};
  }
};

TEST(Pixels, OwnOnesAreLikeAVector) {
  Pixels pixels = {5, 6};
  EXPECT_FALSE(pixels.is_borrowed());
  pixels.resize(4);
  EXPECT_EQ(pixels, (std::vector<std::uint8_t>{5, 6, 0, 0}));
  pixels[3] = 7;
  EXPECT_EQ(*(pixels.end() - 1), 7);
  pixels.assign(2, 9);
  EXPECT_EQ(pixels, (Pixels{9, 9}));
  EXPECT_NE(pixels, (Pixels{9, 9, 9}));
  EXPECT_TRUE(Pixels().empty());
}

TEST(Pixels, BorrowedOnesAreNotCopiedUntilTheyAre) {
  Lender lender;
  Pixels pixels = lender.lend();
  EXPECT_EQ(pixels.data(), lender.bytes.data());
  EXPECT_EQ(pixels, (Pixels{1, 2, 3, 4}));
  Pixels copy = pixels;
  EXPECT_FALSE(copy.is_borrowed());
  copy[0] = 8;
  EXPECT_EQ(lender.bytes[0], 1);
  Pixels moved = std::move(pixels);
  EXPECT_EQ(moved.data(), lender.bytes.data());
  moved[0] = 9;
  EXPECT_EQ(lender.bytes[0], 9);
}

TEST(Pixels, BorrowedOnesGoBackOnce) {
  Lender lender;
  {
    const Pixels pixels = lender.lend();
  }
  EXPECT_EQ(lender.returned, 1);
  Pixels pixels = lender.lend();
  Pixels moved = std::move(pixels);
  EXPECT_EQ(lender.returned, 1);
  moved = Pixels{1};
  EXPECT_EQ(lender.returned, 2);
  moved = lender.lend();
  moved.resize(6);
  EXPECT_EQ(lender.returned, 3);
  EXPECT_EQ(moved, (Pixels{1, 2, 3, 4, 0, 0}));
}

}  // namespace
}  // namespace fineprint
