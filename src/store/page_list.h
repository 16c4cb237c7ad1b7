// Page numbers as a packed blob.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fineprint::store {

// Stores each page as its distance from the one before, which is mostly 0 or 1: one byte for a
// page.
std::string encode_page_list(const std::vector<std::int32_t>& pages);
// Throws BlobDamage if a number is cut off or is no page number.
std::vector<std::int32_t> decode_page_list(std::span<const std::uint8_t> blob);

}  // namespace fineprint::store
