// Reads the bytes of a GGUF file's header one after the other, never past the end.
#include "tensorfile/gguf/cursor.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::tensorfile {

void refuse_gguf(const std::string& path, std::string_view why) {
  throw Error(ErrorCode::model, format("{} is not a usable GGUF file: {}", path, why));
}

void GgufCursor::reject(std::string_view why) const {
  refuse_gguf(path_, format("{} {}", what_, why));
}

// Every read goes through here, so no other function needs to check the end.
std::span<const std::uint8_t> GgufCursor::take(std::uint64_t count) {
  if (count > left()) {
    reject(format("needs {} bytes more, but {} are left; is the file cut off?", count, left()));
  }
  const auto taken = bytes_.subspan(at_, count);
  at_ += count;
  return taken;
}

std::uint64_t GgufCursor::number(std::size_t bytes) {
  std::uint64_t value = 0;
  const auto taken = take(bytes);
  for (std::size_t i = bytes; i > 0; --i) value = value << 8 | taken[i - 1];
  return value;
}

std::string_view GgufCursor::text(std::uint64_t most) {
  const std::uint64_t length = u64();
  // A limit, so that a damaged length is reported as such and not as the end of the file.
  if (length > most) {
    reject(format("has a text of {} bytes, over the limit of {}", length, most));
  }
  const auto taken = take(length);
  return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

}  // namespace fineprint::tensorfile
