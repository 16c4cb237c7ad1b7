// Walks through the bytes of a GGUF file's head, never past their end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fineprint::tensorfile {

// Throws Error(model): "PATH is not a usable GGUF file: WHY".
[[noreturn]] void refuse_gguf(const std::string& path, std::string_view why);

class GgufCursor {
 public:
  GgufCursor(std::span<const std::uint8_t> bytes, std::string path)
      : bytes_(bytes), path_(std::move(path)) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  // What is being read, for messages: "tensor 3", "the value of general.name".
  void name(std::string what) { what_ = std::move(what); }

  // All refuse the file when it ends before.
  std::span<const std::uint8_t> take(std::uint64_t count);
  // A little-endian number of 1 to 8 bytes.
  std::uint64_t number(std::size_t bytes);
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  // A length of eight bytes and as many bytes, at most `most`.
  std::string_view text(std::uint64_t most);

  [[noreturn]] void reject(std::string_view why) const;

 private:
  std::span<const std::uint8_t> bytes_;
  std::string path_;
  std::string what_ = "the head";
  std::size_t at_ = 0;
};

}  // namespace fineprint::tensorfile
