// Feeds any bytes to the reader of one posting list: its units must ascend below their number and
// pack and unpack to themselves, or it must be damage.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "store/postings/list.h"

namespace {

using namespace fineprint::store;
using fineprint::score::Posting;

std::vector<Posting> decoded(std::string_view list, std::uint32_t units) {
  // Exactly the padding that is promised: what is read behind it is found.
  std::vector<std::uint8_t> bytes(list.size() + kListPadding);
  if (!list.empty()) std::memcpy(bytes.data(), list.data(), list.size());
  std::vector<Posting> out = {{7, 7}};
  decode_list(std::span(bytes).first(list.size()), units, &out);
  if (out[0].unit != 7 || out[0].frequency != 7) std::abort();
  out.erase(out.begin());
  return out;
}

bool equal(const std::vector<Posting>& a, const std::vector<Posting>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].unit != b[i].unit || a[i].frequency != b[i].frequency) return false;
  }
  return true;
}

void check(const std::vector<Posting>& postings, std::uint32_t units) {
  for (std::size_t i = 0; i < postings.size(); ++i) {
    if (postings[i].unit >= units) std::abort();
    if (i > 0 && postings[i - 1].unit >= postings[i].unit) std::abort();
  }
  ByteWriter packed;
  append_list(postings, &packed);
  if (!equal(decoded(packed.bytes(), units), postings)) std::abort();
}

}  // namespace

// The first two bytes are the number of units.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint32_t units = data[0] + 256U * data[1];
  try {
    check(decoded({reinterpret_cast<const char*>(data) + 2, size - 2}, units), units);
  } catch (const BlobDamage& damage) {
    if (*damage.what() == '\0') std::abort();
  }
  return 0;
}
