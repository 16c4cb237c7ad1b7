// Writes, checks and searches images of postings segments.
#include "store/postings/image.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "store/postings/list.h"

namespace fineprint::store {

namespace {

static_assert(std::endian::native == std::endian::little, "images are mapped as they are on disk");

constexpr std::string_view kImageMagic("fpostng\n", 8);
constexpr std::uint32_t kImageVersion = 1;

std::string_view header_without_checksum(const PostingsHeader& header) {
  return {reinterpret_cast<const char*>(&header), offsetof(PostingsHeader, header_checksum)};
}

// Sums in 64 bits, because four damaged counts of 32 bits could wrap around.
std::size_t body_bytes(const PostingsHeader& header) {
  return header.documents * sizeof(ImageDocument) + header.units * sizeof(std::uint32_t) +
         header.terms * sizeof(ImageTerm) + header.text_bytes;
}

// Checks the header's own checksum before its numbers are used, and the size of the file before any
// part is mapped.
PostingsHeader read_header(std::span<const std::uint8_t> bytes) {
  PostingsHeader header;
  if (bytes.size() < sizeof header) throw BlobDamage("it is shorter than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::string_view(header.magic, sizeof header.magic) != kImageMagic) {
    throw BlobDamage("it does not begin like a file of posting lists");
  }
  if (checksum(header_without_checksum(header)) != header.header_checksum) {
    throw BlobDamage("the checksum of its header is wrong");
  }
  if (header.version != kImageVersion) throw BlobDamage("this program does not know its version");
  if (sizeof header + body_bytes(header) + header.list_bytes + kListPadding != bytes.size()) {
    throw BlobDamage("its size is not the one in its header");
  }
  return header;
}

// Returns the next `count` values of `bytes`, which must be aligned, and advances `bytes` past
// them.
template <class Value>
std::span<const Value> take(std::size_t count, std::span<const std::uint8_t>* bytes) {
  const auto* first = reinterpret_cast<const Value*>(bytes->data());
  *bytes = bytes->subspan(count * sizeof(Value));
  return {first, count};
}

template <class Value>
std::string_view bytes_of(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

std::uint32_t list_checksum(std::string_view list) {
  return static_cast<std::uint32_t>(checksum(list));
}

// Offsets have 32 bits. The padding must fit too, so that the size of the lists does.
std::uint32_t offset(std::size_t bytes) {
  if (bytes <= std::numeric_limits<std::uint32_t>::max() - kListPadding) {
    return static_cast<std::uint32_t>(bytes);
  }
  throw Error(ErrorCode::store, "posting lists of more than 4 GB do not fit into one segment");
}

}  // namespace

PostingsImage::PostingsImage(std::string bytes) : memory_(std::move(bytes)) {
  bytes_ = {reinterpret_cast<const std::uint8_t*>(memory_.data()), memory_.size()};
  open();
}

PostingsImage::PostingsImage(MappedFile file) : file_(std::move(file)) {
  bytes_ = file_->bytes();
  open();
}

// The lists have checksums of their own, so opening a large file does not read all of it.
PostingsHeader PostingsImage::checked_header() const {
  const PostingsHeader header = read_header(bytes_);
  const auto body = bytes_.subspan(sizeof header, body_bytes(header));
  if (fineprint::checksum(body) != header.body_checksum) throw BlobDamage("its checksum is wrong");
  return header;
}

// The parts are in a fixed order, and each begins where the one before ends.
void PostingsImage::open() {
  const PostingsHeader header = checked_header();
  checksum_ = header.header_checksum;
  std::span<const std::uint8_t> rest = bytes_.subspan(sizeof header);
  documents_ = take<ImageDocument>(header.documents, &rest);
  lengths_ = take<std::uint32_t>(header.units, &rest);
  terms_ = take<ImageTerm>(header.terms, &rest);
  const auto texts = take<char>(header.text_bytes, &rest);
  texts_ = {texts.data(), texts.size()};
  lists_ = rest;
  std::uint64_t units = 0;
  for (const ImageDocument& document : documents_) {
    if (document.first_unit != units) throw BlobDamage("there are gaps between its documents");
    units += document.units;
  }
  if (units != lengths_.size()) throw BlobDamage("its documents and its lengths differ in number");
}

std::string_view PostingsImage::term(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : terms_[index - 1].text_end;
  const std::size_t end = terms_[index].text_end;
  if (begin > end || end > texts_.size()) throw BlobDamage("a term is outside");
  return texts_.substr(begin, end - begin);
}

// A binary search on the mapped bytes, so that opening a file needs no table in memory.
std::size_t PostingsImage::find(std::string_view wanted) const {
  std::size_t low = 0, high = terms_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (term(middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < terms_.size() && term(low) == wanted ? low : terms_.size();
}

std::span<const std::uint8_t> PostingsImage::list(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : terms_[index - 1].list_end;
  const std::size_t end = terms_[index].list_end;
  if (begin > end || end + kListPadding > lists_.size()) throw BlobDamage("a list is outside");
  return lists_.subspan(begin, end - begin);
}

// Checks the list's own checksum here and not on opening, because a search reads few of the lists.
void PostingsImage::append(std::size_t index, std::vector<score::Posting>* out) const {
  const auto bytes = list(index);
  if (static_cast<std::uint32_t>(fineprint::checksum(bytes)) != terms_[index].list_checksum) {
    throw BlobDamage(fineprint::format("the checksum of \"{}\" is wrong", term(index)));
  }
  decode_list(bytes, static_cast<std::uint32_t>(lengths_.size()), out);
}

std::size_t PostingsImage::list_size(std::size_t index) const {
  return read_list_size(list(index), static_cast<std::uint32_t>(lengths_.size()));
}

void PostingsImage::check() const {
  checked_header();
  std::vector<score::Posting> postings;
  for (std::size_t i = 0; i < term_count(); ++i) {
    if (i > 0 && term(i - 1) >= term(i)) throw BlobDamage("terms are out of order");
    postings.clear();
    append(i, &postings);
  }
}

void PostingsImageWriter::add_document(std::int64_t id, std::span<const std::uint32_t> lengths) {
  const std::uint32_t first = offset(lengths_.size());
  documents_.push_back({id, first, offset(lengths.size())});
  lengths_.insert(lengths_.end(), lengths.begin(), lengths.end());
}

void PostingsImageWriter::add_term(std::string_view term,
                                   std::span<const score::Posting> postings) {
  if (postings.empty()) return;
  // find() searches by halves, so terms must ascend.
  if (!terms_.empty() && term <= last_term_) {
    throw Error(ErrorCode::store,
                fineprint::format("the term \"{}\" occurs twice or out of order", term));
  }
  last_term_ = term;
  texts_ += term;
  const std::size_t begin = lists_.bytes().size();
  append_list(postings, &lists_);
  const std::string_view list = std::string_view(lists_.bytes()).substr(begin);
  terms_.push_back({offset(texts_.size()), offset(lists_.bytes().size()), list_checksum(list)});
}

// The header comes first in the file, but its checksums can only be computed when all else is
// there.
std::string PostingsImageWriter::finish() const {
  PostingsHeader header{};
  kImageMagic.copy(header.magic, sizeof header.magic);
  header.version = kImageVersion;
  header.documents = offset(documents_.size());
  header.units = offset(lengths_.size());
  header.terms = offset(terms_.size());
  header.text_bytes = offset(texts_.size());
  header.list_bytes = offset(lists_.bytes().size());
  std::string out(sizeof header, '\0');
  out.reserve(sizeof header + body_bytes(header) + header.list_bytes + kListPadding);
  out.append(bytes_of(documents_)).append(bytes_of(lengths_)).append(bytes_of(terms_));
  out += texts_;
  header.body_checksum = checksum(std::string_view(out).substr(sizeof header));
  header.header_checksum = checksum(header_without_checksum(header));
  std::memcpy(out.data(), &header, sizeof header);
  return out.append(lists_.bytes()).append(kListPadding, '\0');
}

}  // namespace fineprint::store
