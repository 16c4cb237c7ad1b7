// Checksums and content hashes (XXH3). They are not cryptographic: they find damage and changes,
// but do not protect against malice.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fineprint {

// Returns the 64-bit checksum of the bytes.
std::uint64_t checksum(std::span<const std::uint8_t> bytes);
std::uint64_t checksum(std::string_view bytes);
// Returns the checksum of the pieces as if they were one array, without copying them together.
std::uint64_t checksum_of_pieces(std::span<const std::span<const std::uint8_t>> pieces);

// Returns a hash of 128 bits as 32 lower-case hexadecimal digits.
std::string content_hash(std::string_view bytes);
// Returns the same hash of a file's content. Reads in blocks, so the file may be larger than
// memory. Throws Error(unreadable) with the path and the reason.
std::string file_hash(const std::string& path);

}  // namespace fineprint
