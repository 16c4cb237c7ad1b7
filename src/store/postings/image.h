// The bytes of a postings segment, which are the same in a file, in a catalogue row and in memory.
//
//   header       64 bytes: magic, version, counts, checksums
//   documents    16 bytes each: id (i64), first unit, units (u32); by first unit, without gaps
//   lengths      u32 for each unit
//   terms        12 bytes each, by the bytes of the term: where its text and its list end, and a
//                checksum of the list
//   texts        of all terms, without separators
//   lists        see postings_list.h; kListPadding zeros at the end
//
// All numbers are little endian. Opening an image checks everything before the lists. Each list is
// checked when it is read.
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

// The first 64 bytes of an image.
struct PostingsHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t documents, units, terms;
  std::uint32_t text_bytes;
  std::uint32_t list_bytes;  // without the padding
  std::uint64_t unused[2];
  std::uint64_t body_checksum;    // over documents, lengths, terms and texts
  std::uint64_t header_checksum;  // over everything before it
};
static_assert(sizeof(PostingsHeader) == 64);

struct ImageDocument {
  std::int64_t id = 0;
  std::uint32_t first_unit = 0, units = 0;
};
static_assert(sizeof(ImageDocument) == 16);

// A term begins where the one before ends, and so does its list.
struct ImageTerm {
  std::uint32_t text_end = 0, list_end = 0, list_checksum = 0;
};
static_assert(sizeof(ImageTerm) == 12);

// Reads an image. Safe from several threads.
class PostingsImage {
 public:
  // Opens bytes in memory, which the object keeps, or a file, which it maps. Both throw BlobDamage
  // if the image is incomplete. The second throws Error(unreadable) if the file cannot be read.
  explicit PostingsImage(std::string bytes);
  explicit PostingsImage(MappedFile file);
  PostingsImage(const PostingsImage&) = delete;
  PostingsImage& operator=(const PostingsImage&) = delete;

  std::span<const ImageDocument> documents() const { return documents_; }
  std::span<const std::uint32_t> lengths() const { return lengths_; }
  std::size_t term_count() const { return terms_.size(); }
  std::string_view term(std::size_t index) const;
  // Returns the index of a term, or term_count() if the image does not contain it.
  std::size_t find(std::string_view term) const;
  // Appends the posting list of a term. Throws BlobDamage if it is damaged.
  void append(std::size_t index, std::vector<score::Posting>* out) const;
  // Returns how many postings that list has, of which nothing else is read. Throws BlobDamage if
  // the number cannot be right.
  std::size_t list_size(std::size_t index) const;
  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  // Reads and checks everything again. Throws BlobDamage, also if terms are out of order or a list
  // is damaged.
  void check() const;
  // Returns a checksum that covers the complete image, because the header contains all others.
  std::uint64_t checksum() const { return checksum_; }

 private:
  void open();
  std::span<const std::uint8_t> list(std::size_t index) const;
  // Compares header and body with their checksums.
  PostingsHeader checked_header() const;

  std::string memory_;
  std::optional<MappedFile> file_;
  std::span<const std::uint8_t> bytes_;
  std::uint64_t checksum_ = 0;
  std::span<const ImageDocument> documents_;
  std::span<const std::uint32_t> lengths_;
  std::span<const ImageTerm> terms_;
  std::string_view texts_;
  std::span<const std::uint8_t> lists_;  // includes the padding
};

// Makes an image. Add all documents first, then all terms in ascending order.
class PostingsImageWriter {
 public:
  // Appends a document. Its units follow those of the document before.
  void add_document(std::int64_t id, std::span<const std::uint32_t> lengths);
  // Appends a posting list. Ignores an empty list. Throws Error(store) if the image would grow past
  // 4 GB, or if the term does not come after the one before.
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
