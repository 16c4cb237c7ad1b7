// Feeds any bytes, with the right checksum behind them, to the reader of a page's words: they must
// be a page whose lines lie within its words and that packs and unpacks to itself, or be damage.
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "fineprint/core/hash.h"

#include "store/bytes.h"
#include "store/page_blob.h"

namespace {

using namespace fineprint::store;
using fineprint::Line;
using fineprint::Page;

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The number that the blob names, so that it is not refused for being another page's.
int number_in(std::string_view payload) {
  ByteReader in({reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size()});
  in.u8();
  return static_cast<int>(in.varint() & std::numeric_limits<int>::max());
}

Page decoded(const std::string& blob, int number) {
  Page page;
  page.number = number;
  decode_page(bytes_of(blob), &page);
  return page;
}

void check(const Page& page) {
  for (const Line& line : page.lines) {
    if (std::uint64_t{line.first_word} + line.word_count > page.words.size()) std::abort();
  }
  const std::string packed = encode_page(page);
  // Texts are compared: numbers that are not numbers do not equal themselves.
  if (encode_page(decoded(packed, page.number)) != packed) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view payload(reinterpret_cast<const char*>(data), size);
  ByteWriter blob;
  blob.raw(payload);
  blob.u64(fineprint::checksum(payload));
  try {
    check(decoded(blob.bytes(), number_in(payload)));
  } catch (const BlobDamage& damage) {
    if (*damage.what() == '\0') std::abort();
  }
  return 0;
}
