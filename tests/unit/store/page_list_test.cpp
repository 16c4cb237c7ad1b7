// Page numbers as packed blobs.
#include "store/page_list.h"

#include <gtest/gtest.h>

#include "store/bytes.h"

namespace fineprint::store {
namespace {

std::span<const std::uint8_t> blob_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(PageList, PackIntoAByteEachAndComeBackInAnyOrder) {
  const std::vector<std::int32_t> pages = {1, 1, 2, 5, 5, 4, 1000, 999, 1};
  const std::string blob = encode_page_list(pages);
  EXPECT_LE(blob.size(), pages.size() + 3);
  EXPECT_EQ(decode_page_list(blob_of(blob)), pages);
}

TEST(PageList, RefuseDamage) {
  EXPECT_THROW(decode_page_list(blob_of(std::string(1, '\0'))), BlobDamage);  // page 0
  EXPECT_THROW(decode_page_list(blob_of("\x03")), BlobDamage);                // page -2
  EXPECT_THROW(decode_page_list(blob_of("\x80")), BlobDamage);                // cut off
}

}  // namespace
}  // namespace fineprint::store
