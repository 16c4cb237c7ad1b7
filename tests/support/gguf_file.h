// GGUF files put together byte by byte, whole or lying.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::testing {

inline std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 0xFF);
  return out;
}

inline std::string gguf_text(std::string_view text) {
  return little(text.size(), 8) + std::string(text);
}

// Every number that a head holds can be set to another than the right one.
struct GgufFile {
  // Types of values, by the format's numbers.
  enum : std::uint32_t { kU8 = 0, kU32 = 4, kI32 = 5, kF32 = 6, kBool = 7, kText = 8, kList = 9 };

  std::uint32_t version = 3;
  std::uint64_t alignment = 32;  // of the data; the key is the caller's
  std::uint64_t key_count = 0, tensor_count = 0;
  std::string keys, claims, data;

  void key(std::string_view name, std::uint32_t type, const std::string& value) {
    keys += gguf_text(name) + little(type, 4) + value;
    ++key_count;
  }
  void text(std::string_view name, std::string_view value) { key(name, kText, gguf_text(value)); }
  void u32(std::string_view name, std::uint32_t value) { key(name, kU32, little(value, 4)); }
  void f32(std::string_view name, float value) {
    key(name, kF32, little(std::bit_cast<std::uint32_t>(value), 4));
  }
  void flag(std::string_view name, bool value) { key(name, kBool, little(value ? 1 : 0, 1)); }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    std::string list = little(kText, 4) + little(values.size(), 8);
    for (const std::string& value : values) list += gguf_text(value);
    key(name, kList, list);
  }
  void i32s(std::string_view name, const std::vector<std::int32_t>& values) {
    std::string list = little(kI32, 4) + little(values.size(), 8);
    for (const std::int32_t value : values) list += little(static_cast<std::uint32_t>(value), 4);
    key(name, kList, list);
  }
  void f32s(std::string_view name, const std::vector<float>& values) {
    std::string list = little(kF32, 4) + little(values.size(), 8);
    for (const float value : values) list += little(std::bit_cast<std::uint32_t>(value), 4);
    key(name, kList, list);
  }

  // `shape` in the file's order, the row's length first; its bytes follow the data before.
  void tensor(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
              std::string_view bytes) {
    claim(name, shape, type, data.size());
    data += bytes;
    data.append((alignment - data.size() % alignment) % alignment, '\0');
  }
  void claim(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
             std::uint64_t offset) {
    claims += gguf_text(name) + little(shape.size(), 4);
    for (const std::uint64_t extent : shape) claims += little(extent, 8);
    claims += little(type, 4) + little(offset, 8);
    ++tensor_count;
  }

  std::string bytes() const {
    std::string out = "GGUF" + little(version, 4) + little(tensor_count, 8) + little(key_count, 8);
    out += keys + claims;
    if (tensor_count > 0) out.append((alignment - out.size() % alignment) % alignment, '\0');
    return out + data;
  }
};

}  // namespace fineprint::testing
