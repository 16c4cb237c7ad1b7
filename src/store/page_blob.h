// The words and lines of a page as one packed, checksummed blob.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fineprint/core/document.h"

namespace fineprint::store {

// Layout: version, page number, words, lines, checksum of all before it. Coordinates are float32
// bit patterns, so a page comes back exactly; what repeats from word to word (the baseline, the
// font size) is stored once. About 15 bytes a word of printed text.
std::string encode_page(const Page& page);

// Fills `words` and `lines` of `page`, whose `number` must be the blob's. Throws BlobDamage when
// the checksum is wrong or anything points outside.
void decode_page(std::span<const std::uint8_t> blob, Page* page);

}  // namespace fineprint::store
