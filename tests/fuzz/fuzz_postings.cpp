// Feeds any bytes, with checksums made right, to the reader of postings segments: every term must
// be readable or damage, and a sound segment must join with itself to one that is sound.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/hash.h"

#include "store/postings/image.h"
#include "store/postings/list.h"
#include "store/postings/merge.h"

namespace {

using namespace fineprint::store;
using fineprint::score::Posting;

std::uint64_t body_bytes(const PostingsHeader& header) {
  return std::uint64_t{header.documents} * sizeof(ImageDocument) +
         std::uint64_t{header.units} * sizeof(std::uint32_t) +
         std::uint64_t{header.terms} * sizeof(ImageTerm) + header.text_bytes;
}

// Checksums of the lists that lie within the image.
void sum_lists(const PostingsHeader& header, std::uint64_t lists, std::string* image) {
  const std::size_t terms = sizeof header + header.documents * sizeof(ImageDocument) +
                            header.units * sizeof(std::uint32_t);
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < header.terms; ++i) {
    ImageTerm term;
    char* place = image->data() + terms + i * sizeof term;
    std::memcpy(&term, place, sizeof term);
    if (begin <= term.list_end && lists + term.list_end <= image->size()) {
      const auto list = std::string_view(*image).substr(lists + begin, term.list_end - begin);
      term.list_checksum = static_cast<std::uint32_t>(fineprint::checksum(list));
      std::memcpy(place, &term, sizeof term);
    }
    begin = term.list_end;
  }
}

// Magic, version, length of the lists and all checksums, where the counts leave room for them.
std::string made_right(std::string image) {
  PostingsHeader header;
  if (image.size() < sizeof header) return image;
  std::memcpy(&header, image.data(), sizeof header);
  std::memcpy(header.magic, "fpostng\n", sizeof header.magic);
  header.version = 1;
  const std::uint64_t lists = sizeof header + body_bytes(header);
  if (lists + kListPadding <= image.size()) {
    header.list_bytes = static_cast<std::uint32_t>(image.size() - lists - kListPadding);
    sum_lists(header, lists, &image);
    header.body_checksum =
        fineprint::checksum(std::string_view(image).substr(sizeof header, lists - sizeof header));
  }
  header.header_checksum = fineprint::checksum(std::string_view(
      reinterpret_cast<const char*>(&header), offsetof(PostingsHeader, header_checksum)));
  std::memcpy(image.data(), &header, sizeof header);
  return image;
}

bool is_sound(const PostingsImage& image) {
  try {
    image.check();
    return true;
  } catch (const BlobDamage&) {
    return false;
  }
}

// Reads every term as a search would.
void read_terms(const PostingsImage& image) {
  for (std::size_t i = 0; i < image.term_count(); ++i) {
    try {
      image.find(image.term(i));
      std::vector<Posting> list;
      image.append(i, &list);
      for (const Posting& posting : list) {
        if (posting.unit >= image.lengths().size()) std::abort();
      }
    } catch (const BlobDamage&) {
    }
  }
}

void check_joining(const PostingsImage& image) {
  std::vector<bool> live(image.documents().size(), true);
  const MergeInput whole{&image, live};
  for (std::size_t i = 0; i < live.size(); i += 2) live[i] = false;
  const MergeInput inputs[] = {whole, {&image, live}};
  const PostingsImage joined(merge_images(inputs));
  joined.check();
  if (joined.term_count() > image.term_count()) std::abort();
}

void read_image(const std::string& bytes) {
  const PostingsImage image(bytes);
  read_terms(image);
  if (is_sound(image)) {
    check_joining(image);
    return;
  }
  const MergeInput damaged[] = {{&image, std::vector<bool>(image.documents().size(), true)}};
  merge_images(damaged);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read_image(made_right({reinterpret_cast<const char*>(data), size}));
  } catch (const BlobDamage&) {
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::store) std::abort();
  }
  return 0;
}
