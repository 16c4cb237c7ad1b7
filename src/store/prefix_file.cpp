// Writes, maps and lists state files.
#include "store/prefix_file.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "store/bytes.h"

namespace fineprint::store {
namespace {

// The header, padded to a multiple of kAlignment: magic, its own length, length and checksum of the
// bytes, key, model, zeros, and a checksum over all of these.
constexpr std::string_view kStateMagic = "fpstate1";
// Alignment of the bytes, so that numbers in them can be used in place.
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLargestHeader = 4096;  // larger ones can only be damaged
constexpr std::size_t kLongestModel = 1000;   // longer names are cut, so that the header fits
constexpr std::string_view kSuffix = ".state";
constexpr std::string_view kUnfinished = ".state.tmp-";  // names that write_file_atomic gives

// No state takes longer to write, so an older unfinished file belongs to a process that is gone.
constexpr auto kLongestWrite = std::chrono::hours(1);

// The key is part of the header, so that a file under a wrong name is noticed.
std::string make_header(const std::string& key, const std::string& model, Pieces pieces) {
  std::uint64_t bytes = 0;
  for (const auto piece : pieces) bytes += piece.size();
  ByteWriter text;
  text.text(key);
  text.text(std::string_view(model).substr(0, kLongestModel));
  const std::size_t used = kStateMagic.size() + 3 * sizeof(std::uint64_t) + text.bytes().size();
  const std::size_t size =
      (used + sizeof(std::uint64_t) + kAlignment - 1) / kAlignment * kAlignment;
  ByteWriter header;
  header.raw(kStateMagic);
  header.u64(size);
  header.u64(bytes);
  header.u64(checksum_of_pieces(pieces));
  header.raw(text.bytes());
  header.raw(std::string(size - used - sizeof(std::uint64_t), '\0'));
  header.u64(checksum(header.bytes()));
  return header.bytes();
}

// Checks the length in the header before the checksum, because the checksum is at its end.
std::span<const std::uint8_t> header_of(std::span<const std::uint8_t> file) {
  ByteReader reader(file);
  if (file.size() < kAlignment) throw BlobDamage("it is too short for a header");
  if (reader.raw(kStateMagic.size()) != kStateMagic) {
    throw BlobDamage("it is not a page state of this version of the program");
  }
  const std::uint64_t size = reader.u64();
  if (size < kAlignment || size % kAlignment != 0 || size > std::min(kLargestHeader, file.size())) {
    throw BlobDamage("its header is damaged");
  }
  const std::size_t body = static_cast<std::size_t>(size) - sizeof(std::uint64_t);
  ByteReader sum(file.subspan(body));
  if (sum.u64() != checksum(file.first(body))) throw BlobDamage("its header is damaged");
  return file.first(static_cast<std::size_t>(size));
}

}  // namespace

void write_prefix(const std::string& path, const std::string& key, const std::string& model,
                  Pieces pieces) {
  const std::string header = make_header(key, model, pieces);
  std::vector<std::string_view> all = {header};
  for (const auto piece : pieces) {
    all.emplace_back(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  write_file_atomic(path, all);
}

// Reads no more than the header, so that looking for a state costs little.
PrefixFile::PrefixFile(const std::string& path, const std::string& key) : map_(path) {
  const auto header = header_of(map_.bytes());
  ByteReader reader(header.subspan(kStateMagic.size() + sizeof(std::uint64_t)));
  const std::uint64_t size = reader.u64();
  checksum_ = reader.u64();
  if (reader.text() != key) throw BlobDamage("it is the state of another key");
  model_ = reader.text();
  bytes_ = map_.bytes().subspan(header.size());
  if (bytes_.size() != size) {
    throw BlobDamage(fineprint::format("it holds {} bytes of {}", bytes_.size(), size));
  }
}

bool PrefixFile::bytes_are_whole() const { return checksum(bytes_) == checksum_; }

// Returns the fault instead of throwing, because a state that cannot be used is only computed
// again.
std::shared_ptr<const PrefixFile> open_prefix(const std::string& path, const std::string& key,
                                              Look look, std::string* fault) {
  try {
    auto file = std::make_shared<const PrefixFile>(path, key);
    if (look == Look::at_header || file->bytes_are_whole()) return file;
    *fault = "its checksum is wrong";
  } catch (const BlobDamage& damage) {
    *fault = damage.what();
  } catch (const Error& error) {
    *fault = error.what();
  }
  return nullptr;
}

bool is_prefix_key(const std::string& key) {
  return !key.empty() && key.size() <= 128 &&
         key.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string prefix_file_name(const std::string& key) { return key + std::string(kSuffix); }

namespace {

// A file that is no state and no unfinished state keeps the kind `foreign`, and is never deleted.
void classify(const std::string& name, PrefixFileEntry* entry) {
  using Kind = PrefixFileEntry::Kind;
  const std::string key = name.substr(0, name.find('.'));
  if (!is_prefix_key(key)) return;
  const std::string_view rest = std::string_view(name).substr(key.size());
  if (rest == kSuffix) {
    entry->kind = Kind::state;
    entry->key = key;
  } else if (rest.starts_with(kUnfinished)) {
    const auto age = std::filesystem::file_time_type::clock::now() - entry->used;
    entry->kind = age > kLongestWrite ? Kind::left_over : Kind::being_written;
  }
}

}  // namespace

std::vector<PrefixFileEntry> list_prefix_files(const std::string& folder) {
  std::vector<PrefixFileEntry> entries;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; at != end;
       at.increment(failed)) {
    PrefixFileEntry entry;
    entry.path = at->path().string();
    // Other processes may delete files while this one lists them.
    std::error_code gone;
    const auto bytes = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    if (!gone) entry.used = at->last_write_time(gone);
    if (gone) continue;
    entry.bytes = static_cast<std::int64_t>(bytes);
    if (at->is_regular_file(gone)) classify(at->path().filename().string(), &entry);
    entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &PrefixFileEntry::path);
  return entries;
}

}  // namespace fineprint::store
