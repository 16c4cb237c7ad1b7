// Reads the bytes of a GGUF file's header one after the other, never past the end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fineprint::tensorfile {

// Throws Error(model) with the message "PATH is not a usable GGUF file: WHY".
[[noreturn]] void refuse_gguf(const std::string& path, std::string_view why);

// A position in the header.
class GgufCursor {
 public:
  GgufCursor(std::span<const std::uint8_t> bytes, std::string path)
      : bytes_(bytes), path_(std::move(path)) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  // Sets the name of the part being read, for messages: for example "tensor 3" or "the value of
  // general.name".
  void name(std::string what) { what_ = std::move(what); }

  // The functions below reject the file if it ends too early.
  std::span<const std::uint8_t> take(std::uint64_t count);
  // Reads a little-endian number of 1 to 8 bytes.
  std::uint64_t number(std::size_t bytes);
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  // Reads a length of eight bytes and then that many bytes. Rejects a length above `most`.
  std::string_view text(std::uint64_t most);

  // Throws Error(model) with a message that begins with the name of the part being read.
  [[noreturn]] void reject(std::string_view why) const;

 private:
  std::span<const std::uint8_t> bytes_;
  std::string path_;
  std::string what_ = "the header";
  std::size_t at_ = 0;
};

}  // namespace fineprint::tensorfile
