// Packs the words and lines of a page into one blob with a checksum.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fineprint/core/document.h"

namespace fineprint::store {

// Returns the blob. Layout: version, page number, words, lines, hidden text if there is any,
// stated cells of the elements if there are any, checksum over everything before it. Coordinates
// are stored as float32 bit patterns, so a page comes back exactly. Values that repeat from word to
// word (baseline, font size) are stored once. Takes about 15 bytes for a printed word.
std::string encode_page(const Page& page);

// Fills `words`, `lines`, `hidden` and the cells of the elements of `page`, which has its elements
// already. The page's `number` must be that of the blob, so
// that a blob in the wrong row is noticed. Throws BlobDamage if the checksum is wrong or an index
// is outside.
void decode_page(std::span<const std::uint8_t> blob, Page* page);

}  // namespace fineprint::store
