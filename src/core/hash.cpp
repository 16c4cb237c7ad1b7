// Computes checksums of memory and files with xxHash.
#include "fineprint/core/hash.h"

#include <array>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/file_descriptor.h"

namespace fineprint {
namespace {

// Bytes read at a time: large enough that system calls do not count.
constexpr std::size_t kHashedBlockBytes = std::size_t{1} << 18;

using State = std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)>;

State new_state() { return {XXH3_createState(), &XXH3_freeState}; }

std::string to_hex(const XXH128_hash_t& hash) {
  // The canonical form is big-endian, so the hash is the same on every machine.
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * sizeof canonical.digest);
  for (const unsigned char byte : canonical.digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t checksum_of_pieces(std::span<const std::span<const std::uint8_t>> pieces) {
  const State state = new_state();
  XXH3_64bits_reset(state.get());
  for (const auto piece : pieces) XXH3_64bits_update(state.get(), piece.data(), piece.size());
  return XXH3_64bits_digest(state.get());
}

std::string content_hash(std::string_view bytes) {
  return to_hex(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string file_hash(const std::string& path) {
  const FileDescriptor file = open_file(path, O_RDONLY);
  const State state = new_state();
  XXH3_128bits_reset(state.get());
  std::vector<char> block(kHashedBlockBytes);
  while (const std::size_t got = read_some(file, path, block.data(), block.size())) {
    XXH3_128bits_update(state.get(), block.data(), got);
  }
  return to_hex(XXH3_128bits_digest(state.get()));
}

}  // namespace fineprint
