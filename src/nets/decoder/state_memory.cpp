// Divides a decoder's state memory among its kinds of layers.
#include "nets/decoder/state_memory.h"

#include <algorithm>
#include <array>
#include <utility>

#include "nets/decoder/key_values.h"

namespace fineprint::nets {
namespace {

using models::LayerKind;

// In the order in which a state's parts follow each other.
constexpr std::array kKinds{LayerKind::full_attention, LayerKind::windowed_attention,
                            LayerKind::delta_rule, LayerKind::short_convolution};
// Tokens that one step of a prompt may have, besides the tokens that a window still sees.
constexpr std::int64_t kStepTokens = 4096;
// Slots of recurrent layers: the least number, and the number on top of the slots for kept states.
// A sequence that is being read takes two, the old state and the new one.
constexpr std::int64_t kLeastSlots = 4, kLiveSlots = 16;

std::int64_t count_of(const models::Decoder& spec, LayerKind kind) {
  std::int64_t count = 0;
  for (int i = 0; i < spec.layers; ++i) count += spec.kind(i) == kind ? 1 : 0;
  return count;
}

KvShape kv_shape_of(const models::Decoder& spec, LayerKind kind, const at::TensorOptions& options) {
  const bool windowed = kind == LayerKind::windowed_attention;
  return {.layers = count_of(spec, kind),
          .kv_heads = spec.kv_heads,
          .head_dim = spec.head_dim,
          .window = windowed ? spec.window : 0,
          .options = options};
}

// Returns the sizes for layers of the delta rule or of short convolutions; no model has both. The
// latter have no matrices.
RecurrenceShape recurrence_of(const models::Decoder& spec, const at::TensorOptions& options) {
  const std::int64_t convolutions = count_of(spec, LayerKind::short_convolution);
  if (convolutions > 0) {
    return {.layers = convolutions,
            .channels = spec.hidden,
            .tail = spec.convolution.kernel - 1,
            .options = options};
  }
  const models::DeltaRule& rule = spec.delta;
  const std::int64_t keys = std::int64_t{rule.key_heads} * rule.key_dim;
  const std::int64_t values = std::int64_t{rule.value_heads} * rule.value_dim;
  return {.layers = count_of(spec, LayerKind::delta_rule),
          .heads = rule.value_heads,
          .key_dim = rule.key_dim,
          .value_dim = rule.value_dim,
          .channels = 2 * keys + values,
          .tail = rule.kernel - 1,
          .options = options};
}

// Returns for how many tokens of one prompt keys and values are in memory at the same time. Layers
// with a window free older ones.
std::int64_t most_tokens(const models::Decoder& spec, const KvShape& shape) {
  const std::int64_t all = spec.max_positions;
  return shape.window == 0 ? all : std::min(all, shape.window + kStepTokens);
}

}  // namespace

std::vector<StatePlace> state_places(const models::Decoder& spec) {
  std::vector<StatePlace> places(static_cast<std::size_t>(spec.layers));
  std::size_t part = 0;
  for (const LayerKind kind : kKinds) {
    int found = 0;
    for (int i = 0; i < spec.layers; ++i) {
      if (spec.kind(i) == kind) places[static_cast<std::size_t>(i)] = {part, found++};
    }
    if (found > 0) ++part;
  }
  return places;
}

StateMemory::StateMemory(const models::Decoder& spec, const at::TensorOptions& options,
                         std::int64_t wanted_bytes) {
  std::vector<KvShape> shapes;
  for (const LayerKind kind : {LayerKind::full_attention, LayerKind::windowed_attention}) {
    const KvShape shape = kv_shape_of(spec, kind, options);
    if (shape.layers > 0) shapes.push_back(shape);
  }
  std::int64_t a_token = 0;
  for (const KvShape& shape : shapes) a_token += shape.bytes_per_token();
  std::int64_t free = bytes_for_states(options.device());
  const RecurrenceShape recurrence = recurrence_of(spec, options);
  // Half of the memory at most, so that keys and values of other layers get the rest.
  if (recurrence.layers > 0) {
    const std::int64_t slots = wanted_bytes / recurrence.bytes() + kLiveSlots;
    const std::int64_t most = free / 2 / recurrence.bytes();
    recurrence_ = std::make_shared<RecurrenceMemory>(recurrence,
                                                     std::max(kLeastSlots, std::min(slots, most)));
    free /= 2;
  }
  std::int64_t sum = 0;
  std::vector<std::int64_t> wanted;
  for (const KvShape& shape : shapes) {
    wanted.push_back(std::max(wanted_bytes / a_token, most_tokens(spec, shape)));
    sum += wanted.back() * shape.bytes_per_token();
  }
  // If memory is short, every kind of layer gives up the same share: a sequence needs all of them.
  const double share = std::min(1.0, static_cast<double>(free) / static_cast<double>(sum));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto tokens = static_cast<std::int64_t>(share * static_cast<double>(wanted[i]));
    key_values_.push_back(
        std::make_shared<KvMemory>(shapes[i], std::max(KvMemory::kBlockTokens, tokens)));
  }
}

std::unique_ptr<SequenceState> StateMemory::new_state() const {
  std::vector<std::unique_ptr<StatePart>> parts;
  for (const auto& memory : key_values_) parts.push_back(std::make_unique<KeyValues>(memory));
  if (recurrence_) parts.push_back(std::make_unique<Recurrence>(recurrence_));
  return std::make_unique<SequenceState>(std::move(parts));
}

}  // namespace fineprint::nets
