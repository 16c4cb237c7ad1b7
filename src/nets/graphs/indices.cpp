// Operators that read or write values at given places.
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/where.h>

#include "fineprint/core/format.h"

#include "nets/graphs/operators.h"

namespace fineprint::nets {
namespace {

// Returns the places with negative ones counted from the end. Throws if one is outside [0, size).
at::Tensor places_in(const Call& call, const at::Tensor& given, std::int64_t size) {
  at::Tensor places = given.to(at::kLong);
  places = at::where(places < 0, places + size, places);
  if (places.numel() != 0 &&
      (places.min().item<std::int64_t>() < 0 || places.max().item<std::int64_t>() >= size)) {
    call.fail(format("a place is outside of its {} values", size));
  }
  return places;
}

Tensors gather(const Call& call) {
  const at::Tensor& x = call.at(0);
  const std::int64_t axis = axis_of(call, call.integer("axis", 0), x.dim());
  const at::Tensor places = places_in(call, call.at(1), x.size(axis));
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, places.sizes().begin(), places.sizes().end());
  return {x.index_select(axis, places.flatten()).reshape(checked_shape(call, shape))};
}

Tensors gather_elements(const Call& call) {
  const at::Tensor& x = call.at(0);
  const std::int64_t axis = axis_of(call, call.integer("axis", 0), x.dim());
  return {x.gather(axis, places_in(call, call.at(1), x.size(axis)))};
}

Tensors scatter_elements(const Call& call) {
  const at::Tensor& x = call.at(0);
  const std::int64_t axis = axis_of(call, call.integer("axis", 0), x.dim());
  const at::Tensor places = places_in(call, call.at(1), x.size(axis));
  const at::Tensor values = call.at(2).to(x.scalar_type());
  const std::string how = call.text("reduction", "none");
  if (how == "none") return {x.scatter(axis, places, values)};
  if (how == "add") return {x.scatter_add(axis, places, values)};
  if (how == "mul") return {x.scatter_reduce(axis, places, values, "prod")};
  if (how == "max") return {x.scatter_reduce(axis, places, values, "amax")};
  if (how == "min") return {x.scatter_reduce(axis, places, values, "amin")};
  call.fail(format("the reduction '{}' is not supported", how));
}

// One index for each leading axis, from the last axis of `given`.
c10::List<std::optional<at::Tensor>> index_lists(const Call& call, const at::Tensor& x,
                                                 const at::Tensor& given) {
  if (given.dim() == 0 || given.size(-1) > x.dim()) call.fail("it has indices for too many axes");
  c10::List<std::optional<at::Tensor>> lists;
  for (std::int64_t i = 0; i < given.size(-1); ++i) {
    lists.push_back(places_in(call, given.select(-1, i), x.size(i)));
  }
  return lists;
}

Tensors gather_nd(const Call& call) {
  if (call.integer("batch_dims", 0) != 0) call.fail("batch_dims is not supported");
  return {call.at(0).index(index_lists(call, call.at(0), call.at(1)))};
}

Tensors scatter_nd(const Call& call) {
  const at::Tensor& x = call.at(0);
  const std::string how = call.text("reduction", "none");
  if (how != "none" && how != "add") call.fail(format("the reduction '{}' is not supported", how));
  return {x.clone().index_put_(index_lists(call, x, call.at(1)), call.at(2).to(x.scalar_type()),
                               how == "add")};
}

Tensors one_hot(const Call& call) {
  const auto depth = call.at(1).reshape({}).item<std::int64_t>();
  const at::Tensor& given = call.at(0);
  const at::Tensor& values = call.at(2);  // off, on
  const std::int64_t axis = axis_of(call, call.integer("axis", -1), given.dim() + 1);
  std::vector<std::int64_t> shape = given.sizes().vec();
  shape.insert(shape.begin() + axis, depth);
  checked_shape(call, shape);
  at::Tensor places = given.to(at::kLong);
  places = at::where(places < 0, places + depth, places).unsqueeze(axis);
  std::vector<std::int64_t> line(given.dim() + 1, 1);
  line[static_cast<std::size_t>(axis)] = depth;
  const at::Tensor steps = at::arange(depth, at::TensorOptions(at::kLong)).reshape(line);
  return {at::where(places == steps, values.select(0, 1), values.select(0, 0))};
}

Tensors top_k(const Call& call) {
  const at::Tensor& x = call.at(0);
  const std::int64_t k = call.opset >= 10 ? call.at(1).item<std::int64_t>() : call.integer("k", 1);
  const std::int64_t axis = axis_of(call, call.integer("axis", -1), x.dim());
  if (k < 0 || k > x.size(axis)) call.fail(format("it wants {} of {} values", k, x.size(axis)));
  // Equal values in the order of their places, which LibTorch's topk does not promise.
  const auto [values, places] = x.sort(true, axis, call.integer("largest", 1) != 0);
  return {values.narrow(axis, 0, k), places.narrow(axis, 0, k)};
}

template <bool kLargest>
Tensors place_of_extreme(const Call& call) {
  if (call.integer("select_last_index", 0) != 0) call.fail("select_last_index is not supported");
  const at::Tensor& x = call.at(0);
  const std::int64_t axis = axis_of(call, call.integer("axis", 0), x.dim());
  const bool keep = call.integer("keepdims", 1) != 0;
  return {kLargest ? x.argmax(axis, keep) : x.argmin(axis, keep)};
}

Tensors places_not_zero(const Call& call) { return {call.at(0).nonzero().transpose(0, 1)}; }

}  // namespace

Operators index_operators() {
  return {
      {"ArgMax", place_of_extreme<true>},
      {"ArgMin", place_of_extreme<false>},
      {"Gather", gather},
      {"GatherElements", gather_elements},
      {"GatherND", gather_nd},
      {"NonZero", places_not_zero},
      {"OneHot", one_hot},
      {"ScatterElements", scatter_elements},
      {"ScatterND", scatter_nd},
      {"TopK", top_k},
  };
}

}  // namespace fineprint::nets
