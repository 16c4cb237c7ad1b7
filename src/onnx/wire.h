// The wire format of protocol buffers: fields with a number, each a number or a span of bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::onnx {

using Bytes = std::span<const std::uint8_t>;

// One field of a message. Wire types 0, 1 and 5 give `number` (fixed ones as their bits), type 2
// gives `bytes`.
struct Field {
  std::uint64_t id = 0;
  unsigned wire = 0;
  std::uint64_t number = 0;
  Bytes bytes;

  std::int64_t integer() const;  // of a varint
  float real() const;            // of a fixed 32-bit field
  std::string text() const;      // of bytes
};

// Iterates over the fields of a message. Throws Error(model) with `where` if a field is cut short,
// a varint has over ten bytes, or a wire type is unknown (groups are not used by ONNX).
class Message {
 public:
  Message(Bytes bytes, const std::string& where) : rest_(bytes), where_(where) {}
  // Reads the next field into `field`; returns false at the end.
  bool next(Field& field);

 private:
  std::uint64_t varint();
  Bytes take(std::uint64_t count);

  Bytes rest_;
  const std::string& where_;
};

// The values of a repeated field of numbers, which are packed into bytes or given one by one: adds
// those of `field` to `values`.
void add_integers(const Field& field, const std::string& where, std::vector<std::int64_t>& values);
void add_reals(const Field& field, const std::string& where, std::vector<float>& values);

}  // namespace fineprint::onnx
