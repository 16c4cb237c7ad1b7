// Packs page numbers.
#include "store/page_list.h"

#include "store/bytes.h"

namespace fineprint::store {

std::string encode_page_list(const std::vector<std::int32_t>& pages) {
  ByteWriter out;
  std::int64_t before = 0;
  for (const std::int32_t page : pages) {
    // Zigzag coding, because pages mostly ascend but a step back must not take ten bytes.
    const std::int64_t step = page - before;
    out.varint(static_cast<std::uint64_t>(step) << 1 ^ static_cast<std::uint64_t>(step >> 63));
    before = page;
  }
  return out.bytes();
}

// Checks every page, because callers use the numbers as indices.
std::vector<std::int32_t> decode_page_list(std::span<const std::uint8_t> blob) {
  std::vector<std::int32_t> out;
  out.reserve(blob.size());  // at most one page for each byte
  std::int64_t page = 0;
  for (ByteReader in(blob); !in.at_end();) {
    const std::uint64_t step = in.varint32();
    page += static_cast<std::int64_t>(step >> 1) ^ -static_cast<std::int64_t>(step & 1);
    if (page < 1 || page > INT32_MAX) throw BlobDamage("a page number is impossible");
    out.push_back(static_cast<std::int32_t>(page));
  }
  return out;
}

}  // namespace fineprint::store
