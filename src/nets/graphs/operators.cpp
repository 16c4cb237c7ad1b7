#include "nets/graphs/operators.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

void Call::fail(const std::string& why) const {
  const std::string which = node.name.empty() ? "" : format(" '{}'", node.name);
  throw Error(ErrorCode::model, format("the operator {}{}: {}", node.op, which, why));
}

bool Call::has(std::size_t index) const { return index < inputs.size() && inputs[index].defined(); }

const at::Tensor& Call::at(std::size_t index) const {
  if (!has(index)) fail(format("its input {} is missing", index + 1));
  return inputs[index];
}

std::vector<std::int64_t> Call::integers_at(std::size_t index) const {
  const at::Tensor values = at(index).to(at::kCPU, at::kLong).contiguous();
  const auto* begin = values.const_data_ptr<std::int64_t>();
  return {begin, begin + values.numel()};
}

std::int64_t Call::integer(std::string_view name, std::int64_t otherwise) const {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? otherwise : found->second.i.value_or(otherwise);
}

double Call::real(std::string_view name, double otherwise) const {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end() || !found->second.f) return otherwise;
  return *found->second.f;
}

std::string Call::text(std::string_view name, const std::string& otherwise) const {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? otherwise : found->second.s.value_or(otherwise);
}

std::vector<std::int64_t> Call::integers(std::string_view name,
                                         std::vector<std::int64_t> otherwise) const {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? std::move(otherwise) : found->second.ints;
}

std::vector<std::int64_t> Call::integers(std::size_t index, std::string_view name) const {
  return has(index) ? integers_at(index) : integers(name);
}

std::int64_t axis_of(const Call& call, std::int64_t axis, std::int64_t dimensions) {
  const std::int64_t from_begin = axis < 0 ? axis + dimensions : axis;
  if (from_begin < 0 || from_begin >= dimensions) {
    call.fail(format("an array of {} dimensions has no axis {}", dimensions, axis));
  }
  return from_begin;
}

std::vector<std::int64_t> checked_shape(const Call& call, std::vector<std::int64_t> shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0) call.fail(format("an array cannot have {} values along an axis", size));
    if (size > kMost || count * std::max<std::int64_t>(size, 1) > kMost) {
      call.fail("its result would have over 2^31 values");
    }
    count *= std::max<std::int64_t>(size, 1);
  }
  return shape;
}

}  // namespace fineprint::nets
