// Tests that ids count, compare and stay apart.
#include "fineprint/core/ids.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint {
namespace {

template <typename From, typename To>
constexpr bool kConverts = std::is_convertible_v<From, To> || std::is_assignable_v<To&, From>;

// What the types are for: no kind of id becomes another by itself, nor a number an id.
static_assert(!kConverts<ChunkId, PageId> && !kConverts<PageId, ChunkId>);
static_assert(!kConverts<ElementId, ChunkId> && !kConverts<DocumentId, PageId>);
static_assert(!kConverts<PageId, UnitId> && !kConverts<UnitId, PageId>);
static_assert(!kConverts<std::uint32_t, PageId> && !kConverts<PageId, std::uint32_t>);
static_assert(!std::is_constructible_v<PageId, ChunkId>);

TEST(Ids, CountFromZero) {
  PageId page;
  EXPECT_EQ(page.value, 0U);
  EXPECT_EQ(++page, PageId(1));
  EXPECT_EQ(page + 3, PageId(4));
  EXPECT_EQ(PageId(7) - PageId(4), 3U);
}

TEST(Ids, AreOrderedByTheirNumbers) {
  std::vector<ChunkId> chunks = {ChunkId(20), ChunkId(3), ChunkId(7)};
  std::ranges::sort(chunks);
  EXPECT_EQ(chunks, (std::vector<ChunkId>{ChunkId(3), ChunkId(7), ChunkId(20)}));
  const std::map<DocumentId, int> pages = {{DocumentId(1), 4}, {DocumentId(0), 9}};
  EXPECT_EQ(pages.begin()->second, 9);
}

TEST(Ids, KeepTheirNumberAsUnits) {
  EXPECT_EQ(as_unit(PageId(5)), UnitId(5));
  EXPECT_EQ(as_unit(ChunkId(6)), UnitId(6));
  EXPECT_EQ(as_unit(ElementId(7)), UnitId(7));
  EXPECT_EQ(as_page(UnitId(5)), PageId(5));
  EXPECT_EQ(as_chunk(UnitId(6)), ChunkId(6));
}

}  // namespace
}  // namespace fineprint
