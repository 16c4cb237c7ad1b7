// Hashes against the values that xxhsum prints, and files against memory.
#include "fineprint/core/hash.h"

#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/temp_dir.h"

namespace fineprint {
namespace {

TEST(Hash, KnownValues) {
  // XXH3 of nothing, seed 0, as its specification's test vectors give it.
  EXPECT_EQ(checksum(std::string_view{}), 0x2D06800538D394C2ull);
  EXPECT_EQ(content_hash(""), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, FilesHashLikeTheirBytes) {
  const testing::TempDir folder;
  std::string bytes(1'000'003, 'x');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31);
  EXPECT_EQ(file_hash(folder.write("a", bytes)), content_hash(bytes));
  EXPECT_EQ(file_hash(folder.write("empty", "")), content_hash(""));
  bytes[500'000] ^= 1;
  EXPECT_NE(file_hash(folder.file("a")), content_hash(bytes));
  EXPECT_THROW(file_hash(folder.file("absent")), Error);
}

TEST(Hash, PiecesHashLikeTheWhole) {
  const std::vector<std::uint8_t> bytes(10'007, 0xA5);
  const std::span<const std::uint8_t> whole(bytes);
  const std::span<const std::uint8_t> pieces[] = {whole.first(1), whole.subspan(1, 0),
                                                  whole.subspan(1, 5'000), whole.subspan(5'001)};
  EXPECT_EQ(checksum_of_pieces(pieces), checksum(whole));
  EXPECT_EQ(checksum_of_pieces({}), checksum(std::string_view{}));
}

}  // namespace
}  // namespace fineprint
