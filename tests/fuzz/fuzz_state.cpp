// Feeds any bytes, with the right checksum of the header, to the reader of a kept page state: what
// is accepted must lie within the file where numbers can be used in place.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "fineprint/core/hash.h"

#include "store/prefix_file.h"
#include "support/temp_dir.h"

namespace {

using namespace fineprint::store;

constexpr std::size_t kSizeAt = 8;  // behind the magic

// The checksum at the end of the header, where its length lies within the file.
std::string made_right(std::string file) {
  std::uint64_t size = 0;
  if (file.size() < kSizeAt + sizeof size) return file;
  std::memcpy(&size, file.data() + kSizeAt, sizeof size);
  if (size > file.size() || size < kSizeAt + 2 * sizeof size) return file;
  const std::size_t body = size - sizeof size;
  const std::uint64_t sum = fineprint::checksum(std::string_view(file).substr(0, body));
  std::memcpy(file.data() + body, &sum, sizeof sum);
  return file;
}

void check(const PrefixFile& state, std::size_t file_bytes) {
  const auto bytes = state.bytes();
  if (bytes.size() > file_bytes || state.model().size() > file_bytes) std::abort();
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 64 != 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fineprint::testing::TempDir dir;
  const std::string path =
      dir.write("ab.state", made_right({reinterpret_cast<const char*>(data), size}));
  std::string fault;
  if (const auto state = open_prefix(path, "ab", Look::at_header, &fault)) check(*state, size);
  fault.clear();
  if (open_prefix(path, "ab", Look::at_all, &fault) == nullptr && fault.empty()) std::abort();
  return 0;
}
