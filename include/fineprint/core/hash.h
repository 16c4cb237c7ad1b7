// Content hashes and checksums (XXH3). Not cryptographic: they find damage and change, not malice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fineprint {

std::uint64_t checksum(std::span<const std::uint8_t> bytes);
std::uint64_t checksum(std::string_view bytes);
// That of the pieces one behind the other, without putting them together.
std::uint64_t checksum_of_pieces(std::span<const std::span<const std::uint8_t>> pieces);

// 128 bits as 32 lower-case hexadecimal digits.
std::string content_hash(std::string_view bytes);
// The same over a file, read in blocks. Throws Error(unreadable).
std::string file_hash(const std::string& path);

}  // namespace fineprint
