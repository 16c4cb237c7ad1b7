// The bytes of a postings segment: the same in a file, in a catalogue row and in memory.
//
//   header       64 bytes: magic, version, counts, checksums
//   documents    16 bytes each: id (i64), first unit, units (u32); by first unit, without gaps
//   lengths      u32 a unit
//   terms        12 bytes each, by the bytes of the term: where its text and its list end, and a
//                checksum of the list
//   texts        of all terms, without separators
//   lists        see postings_list.h; kListPadding zeros at the end
//
// All numbers are little endian. Everything before the lists is checked when it is opened, a list
// when it is read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/files.h"
#include "fineprint/score/bm25.h"

#include "store/bytes.h"

namespace fineprint::store {

struct PostingsHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t documents, units, terms;
  std::uint32_t text_bytes;
  std::uint32_t list_bytes;  // without the padding
  std::uint64_t unused[2];
  std::uint64_t body_checksum;    // of documents, lengths, terms and texts
  std::uint64_t header_checksum;  // of all before it
};
static_assert(sizeof(PostingsHeader) == 64);

struct ImageDocument {
  std::int64_t id = 0;
  std::uint32_t first_unit = 0, units = 0;
};
static_assert(sizeof(ImageDocument) == 16);

struct ImageTerm {
  std::uint32_t text_end = 0, list_end = 0, list_checksum = 0;
};
static_assert(sizeof(ImageTerm) == 12);

// Reads an image. Safe from several threads.
class PostingsImage {
 public:
  // Of bytes in memory, which it keeps, or of a file, which it maps. Both throw BlobDamage when the
  // image is not whole; the second Error(unreadable) when the file cannot be read.
  explicit PostingsImage(std::string bytes);
  explicit PostingsImage(MappedFile file);
  PostingsImage(const PostingsImage&) = delete;
  PostingsImage& operator=(const PostingsImage&) = delete;

  std::span<const ImageDocument> documents() const { return documents_; }
  std::span<const std::uint32_t> lengths() const { return lengths_; }
  std::size_t term_count() const { return terms_.size(); }
  std::string_view term(std::size_t index) const;
  // The index of a term; term_count() when it is not there.
  std::size_t find(std::string_view term) const;
  // Appends the list of a term. Throws BlobDamage.
  void append(std::size_t index, std::vector<score::Posting>* out) const;
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  // Reads everything once more. Throws BlobDamage: also for terms out of order and damaged lists.
  void check() const;
  // Covers all of the image.
  std::uint64_t checksum() const { return checksum_; }

 private:
  void open();
  // Header and body against their checksums.
  PostingsHeader checked_header() const;

  std::string memory_;
  std::optional<MappedFile> file_;
  std::span<const std::uint8_t> bytes_;
  std::uint64_t checksum_ = 0;
  std::span<const ImageDocument> documents_;
  std::span<const std::uint32_t> lengths_;
  std::span<const ImageTerm> terms_;
  std::string_view texts_;
  std::span<const std::uint8_t> lists_;  // with the padding
};

// Makes an image. Documents come first, then terms in their order.
class PostingsImageWriter {
 public:
  // Its units follow those of the document before.
  void add_document(std::int64_t id, std::span<const std::uint32_t> lengths);
  // A list without postings is left out. Throws Error(store) when the image would grow past 4 GB or
  // the term does not come after the one before.
  void add_term(std::string_view term, std::span<const score::Posting> postings);
  std::string finish() const;

 private:
  std::vector<ImageDocument> documents_;
  std::vector<std::uint32_t> lengths_;
  std::vector<ImageTerm> terms_;
  std::string texts_;
  std::string last_term_;
  ByteWriter lists_;
};

}  // namespace fineprint::store
