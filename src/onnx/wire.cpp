#include "onnx/wire.h"

#include <bit>
#include <cstring>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::onnx {
namespace {

[[noreturn]] void cut_short(const std::string& where) {
  throw Error(ErrorCode::model,
              format("{}: is no ONNX file, or is damaged: a field is cut short", where));
}

}  // namespace

std::int64_t Field::integer() const { return static_cast<std::int64_t>(number); }

float Field::real() const { return std::bit_cast<float>(static_cast<std::uint32_t>(number)); }

std::string Field::text() const {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t Message::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    const std::uint8_t byte = take(1)[0];
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  throw Error(ErrorCode::model,
              format("{}: is no ONNX file, or is damaged: a number has no end", where_));
}

Bytes Message::take(std::uint64_t count) {
  if (count > rest_.size()) cut_short(where_);
  const Bytes taken = rest_.first(count);
  rest_ = rest_.subspan(count);
  return taken;
}

bool Message::next(Field& field) {
  if (rest_.empty()) return false;
  const std::uint64_t key = varint();
  field = {key >> 3, static_cast<unsigned>(key & 7), 0, {}};
  const auto fixed = [&](std::size_t count) {
    const Bytes bytes = take(count);
    std::memcpy(&field.number, bytes.data(), count);
  };
  switch (field.wire) {
    case 0:
      field.number = varint();
      break;
    case 1:
      fixed(8);
      break;
    case 2:
      field.bytes = take(varint());
      break;
    case 5:
      fixed(4);
      break;
    default:
      throw Error(ErrorCode::model, format("{}: is no ONNX file, or is damaged: field {} has the "
                                           "unknown wire type {}",
                                           where_, field.id, field.wire));
  }
  return true;
}

void add_integers(const Field& field, const std::string& where, std::vector<std::int64_t>& values) {
  if (field.wire != 2) {
    values.push_back(field.integer());
    return;
  }
  // A message of varints alone: each byte below 0x80 ends one.
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const std::uint8_t byte : field.bytes) {
    if (shift > 63) cut_short(where);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    values.push_back(static_cast<std::int64_t>(value));
    value = 0;
    shift = 0;
  }
  if (shift != 0) cut_short(where);
}

void add_reals(const Field& field, const std::string& where, std::vector<float>& values) {
  if (field.wire != 2) {
    values.push_back(field.real());
    return;
  }
  if (field.bytes.size() % sizeof(float) != 0) cut_short(where);
  if (field.bytes.empty()) return;  // memcpy takes no null pointer, even for no bytes
  const std::size_t before = values.size();
  values.resize(before + field.bytes.size() / sizeof(float));
  std::memcpy(values.data() + before, field.bytes.data(), field.bytes.size());
}

}  // namespace fineprint::onnx
