// Reads the values of a GGUF file's metadata.
#include "tensorfile/gguf/values.h"

#include <array>
#include <bit>

#include "fineprint/core/format.h"

namespace fineprint::tensorfile {
namespace {

// Far above any vocabulary and any chat template.
constexpr std::uint64_t kMaxItems = std::uint64_t{1} << 24;
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{1} << 24;

enum class ValueKind { natural, integer, number, boolean, text, list };

struct ValueType {
  ValueKind kind;
  std::size_t bytes;  // size of a plain value; for text and lists the least that one takes
};

// Indexed by the format's numbers.
constexpr std::array<ValueType, 13> kValueTypes{{
    {ValueKind::natural, 1},
    {ValueKind::integer, 1},
    {ValueKind::natural, 2},
    {ValueKind::integer, 2},
    {ValueKind::natural, 4},
    {ValueKind::integer, 4},
    {ValueKind::number, 4},
    {ValueKind::boolean, 1},
    {ValueKind::text, 8},
    {ValueKind::list, 12},
    {ValueKind::natural, 8},
    {ValueKind::integer, 8},
    {ValueKind::number, 8},
}};

ValueType read_value_type(GgufCursor* cursor) {
  const std::uint32_t number = cursor->u32();
  if (number >= kValueTypes.size())
    cursor->reject(format("has a value of unknown type {}", number));
  return kValueTypes[number];
}

// Shifts the sign bit to the top and back, which extends the sign.
std::int64_t read_signed(std::size_t bytes, GgufCursor* cursor) {
  const std::uint64_t value = cursor->number(bytes);
  const auto unused = static_cast<int>(64 - 8 * bytes);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

// Every float is exactly a double.
double read_number(std::size_t bytes, GgufCursor* cursor) {
  if (bytes == 8) return std::bit_cast<double>(cursor->u64());
  return std::bit_cast<float>(cursor->u32());
}

// Other values than 0 and 1 mean that the file is damaged.
bool read_boolean(GgufCursor* cursor) {
  const std::uint64_t value = cursor->number(1);
  if (value > 1) cursor->reject(format("has the value {} for a boolean", value));
  return value == 1;
}

template <class Item, class ReadItem>
std::vector<Item> read_items(std::uint64_t count, const ReadItem& read_item) {
  std::vector<Item> items;
  items.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) items.push_back(read_item());
  return items;
}

GgufValue read_list(GgufCursor* cursor) {
  const ValueType type = read_value_type(cursor);
  if (type.kind == ValueKind::list) cursor->reject("is a list of lists, which is not supported");
  const std::uint64_t count = cursor->u64();
  // Checks that the file has enough bytes before memory is reserved for the items.
  if (count > kMaxItems || count > cursor->left() / type.bytes) {
    cursor->reject(
        format("claims a list of {} items, which does not fit into the file or is over the "
               "limit of {}",
               count, kMaxItems));
  }
  switch (type.kind) {
    case ValueKind::natural:
      return read_items<std::uint64_t>(count, [&] { return cursor->number(type.bytes); });
    case ValueKind::integer:
      return read_items<std::int64_t>(count, [&] { return read_signed(type.bytes, cursor); });
    case ValueKind::number:
      return read_items<double>(count, [&] { return read_number(type.bytes, cursor); });
    case ValueKind::boolean:
      return read_items<std::uint64_t>(count, [&] { return read_boolean(cursor) ? 1 : 0; });
    default:
      return read_items<std::string_view>(count, [&] { return cursor->text(kMaxTextBytes); });
  }
}

}  // namespace

GgufValue read_gguf_value(GgufCursor* cursor) {
  const ValueType type = read_value_type(cursor);
  switch (type.kind) {
    case ValueKind::natural:
      return cursor->number(type.bytes);
    case ValueKind::integer:
      return read_signed(type.bytes, cursor);
    case ValueKind::number:
      return read_number(type.bytes, cursor);
    case ValueKind::boolean:
      return read_boolean(cursor);
    case ValueKind::text:
      return cursor->text(kMaxTextBytes);
    default:
      return read_list(cursor);
  }
}

}  // namespace fineprint::tensorfile
