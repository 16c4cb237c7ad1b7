// Numbers of things in an opened store: ids of pages, chunks, elements, documents and units.
//
// Each kind has a type of its own, so that one cannot be passed for another. Ids are used from
// session::Corpus upwards, which gives them out. Plain std::uint32_t remain below it, because these
// are numbers of another kind: positions within one document (`store`: ordinals of chunks, units of
// vectors, neighbours in page graphs), and indices into the arrays that kernels and posting lists
// work on (score::Scored::item, score::Posting::unit, rows, scores). Whoever calls these knows what
// the array is indexed by, and converts there, by `value` or by the constructor.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>

namespace fineprint {

// A number, from 0. Ids behave like pointers into one array: an id plus a count is an id, and the
// difference of two ids is a count. `value` indexes arrays that have an entry for each id.
template <typename Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t number) : value(number) {}

  constexpr Id& operator++() {
    ++value;
    return *this;
  }
  friend constexpr Id operator+(Id id, std::uint32_t count) { return Id(id.value + count); }
  friend constexpr std::uint32_t operator-(Id last, Id first) { return last.value - first.value; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using PageId = Id<struct PageTag>;          // counts over all documents; see session::Corpus
using ChunkId = Id<struct ChunkTag>;        // likewise
using ElementId = Id<struct ElementTag>;    // elements of all document maps
using DocumentId = Id<struct DocumentTag>;  // index into Corpus::documents(), not its SQLite row id
// A unit of a vector set or of a ranking: a page, a chunk or an element, whichever the set or the
// ranking is about.
using UnitId = Id<struct UnitTag>;

static_assert(sizeof(PageId) == sizeof(std::uint32_t) && alignof(PageId) == alignof(std::uint32_t));
static_assert(std::is_trivially_copyable_v<PageId> && std::is_standard_layout_v<PageId>);

// Return the unit that a page, chunk or element is in sets and rankings of its kind, and the other
// way round. For code that knows the kind.
constexpr UnitId as_unit(PageId page) { return UnitId(page.value); }
constexpr UnitId as_unit(ChunkId chunk) { return UnitId(chunk.value); }
constexpr UnitId as_unit(ElementId element) { return UnitId(element.value); }
constexpr PageId as_page(UnitId unit) { return PageId(unit.value); }
constexpr ChunkId as_chunk(UnitId unit) { return ChunkId(unit.value); }

}  // namespace fineprint
