// Runs a vision-language model for the engine: several sequences in one step.
#include "nets/generation/sequence_network.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include <ATen/ops/tensor.h>

#include "fineprint/core/format.h"
#include "fineprint/nets/torch_errors.h"

namespace fineprint::nets {
namespace {

// The engine only gets sequences that NativeGenerator made.
Sequence& to_sequence(serving::EngineSequence& sequence) {
  return static_cast<Sequence&>(sequence);
}

// Turns LibTorch's different out-of-memory errors into std::bad_alloc, which makes the engine free
// kept states and try again.
template <typename Call>
auto with_bad_alloc(const Call& call) {
  try {
    return call();
  } catch (const c10::OutOfMemoryError&) {
    throw std::bad_alloc();
  } catch (const c10::Error& error) {
    const std::string_view message = error.what_without_backtrace();
    if (message.find("allocate memory") != std::string_view::npos) throw std::bad_alloc();
    throw;
  }
}

// The image slots among the tokens [begin, begin + count) of a prompt.
struct Slots {
  std::vector<std::int64_t> places;  // counted from `begin`
  std::int64_t first = 0;            // number of the first slot among all of the prompt
};

Slots slots_of(const std::vector<std::uint8_t>& is_image, std::int64_t begin, std::int64_t count) {
  Slots slots;
  const auto size = static_cast<std::int64_t>(is_image.size());
  slots.first = std::count(is_image.begin(), is_image.begin() + std::min(begin, size), 1);
  for (std::int64_t t = begin; t < std::min(begin + count, size); ++t) {
    if (is_image[static_cast<std::size_t>(t)] != 0) slots.places.push_back(t - begin);
  }
  return slots;
}

// Returns the id of a token of the prompt.
std::int64_t prompt_id(const Sequence& sequence, std::int64_t t) {
  const models::TokenSequence& prompt = sequence.prompt().tokens;
  // The embedding of a slot is overwritten by image features, so any valid id will do.
  return prompt.is_image[static_cast<std::size_t>(t)] != 0
             ? 0
             : prompt.ids[static_cast<std::size_t>(t)];
}

// A part may be within the prompt, after it, or cross its end.
Positions part_positions(const Sequence& sequence, std::int64_t count) {
  const models::TokenSequence& prompt = sequence.prompt().tokens;
  const std::int64_t length = sequence.prompt_length(), begin = sequence.read();
  Positions positions;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::int64_t t = begin; t < begin + count; ++t) {
      positions.values[axis].push_back(t < length
                                           ? prompt.positions[axis][static_cast<std::size_t>(t)]
                                           : prompt.next_position + t - length);
    }
  }
  const bool behind = begin + count > length;
  positions.extent = behind ? positions.values[0].back() + 1 : sequence.prompt().extent;
  return positions;
}

// Limits of the next part if every image must be read in one part. Text before an image goes into
// the same part unless it is long.
struct PartSizes {
  std::int64_t smallest = 1, largest = std::numeric_limits<std::int64_t>::max();
};

PartSizes part_with_image(const Sequence& sequence) {
  // Longer text is read alone, so that a step does not become larger than it must.
  constexpr std::int64_t kLongText = 512;
  const auto& is_image = sequence.prompt().tokens.is_image;
  const auto from = is_image.begin() + std::min(sequence.read(), std::ssize(is_image));
  const auto begin = std::find(from, is_image.end(), 1);
  if (begin == is_image.end()) return {};
  if (begin - from > kLongText) return {1, begin - from};
  const std::int64_t all = std::find(begin, is_image.end(), 0) - from;
  return {all, all};
}

}  // namespace

serving::Prepared SequenceNetwork::prepare(serving::EngineSequence& engine_sequence) {
  using serving::Prepared;
  Sequence& sequence = to_sequence(engine_sequence);
  const Running running(model_.device());
  return with_our_errors(model_.spec().name, [&] {
    return with_bad_alloc([&] {
      if (!sequence.searched_ && !look_for_state(sequence)) return Prepared::waits;
      const std::size_t images = sequence.prompt().plans.size();
      const std::size_t seen =
          sequence.passed_ == 0 ? 0 : sequence.prompt().fork_points[sequence.passed_ - 1].images;
      for (std::size_t image = seen; image < images; ++image) {
        // One image in each call: the engine runs other sequences' steps in between.
        if (sequence.features_[image].defined()) continue;
        need_features(sequence, image);
        return image + 1 == images ? Prepared::ready : Prepared::more;
      }
      return Prepared::ready;
    });
  });
}

// Under the lock, so that two sequences with the same pages do not both start to read them.
bool SequenceNetwork::look_for_state(Sequence& sequence) {
  const std::vector<ForkPoint>& fork_points = sequence.prompt().fork_points;
  const std::scoped_lock lock(mutex_);
  PrefixCache::Found found = prefixes_.find(fork_points);
  // Skips fork points of text: nobody waits for another sequence to read text only, because the
  // pages after it may still have to be prepared.
  std::size_t next = found.fork_points;
  while (next < fork_points.size() && !fork_points[next].ends_image) ++next;
  if (next < fork_points.size()) {
    // The key may be this sequence's own, if it was released when memory was short.
    const auto reader = reading_.find(fork_points[next].key);
    if (reader != reading_.end() && reader->second != &sequence) return false;
  }
  sequence.features_.resize(sequence.prompt().plans.size());
  for (std::size_t b = next; b < fork_points.size(); ++b) {
    reading_.emplace(fork_points[b].key, &sequence);
  }
  sequence.searched_ = true;
  sequence.cached_ = 0;
  sequence.logits_ = Matrix();  // a fork that was released computes its logits again
  if (found.fork_points == 0) return true;
  sequence.state_ = std::move(found.state);
  sequence.passed_ = found.fork_points;
  sequence.read_ = sequence.cached_ = fork_points[found.fork_points - 1].tokens;
  return true;
}

void SequenceNetwork::forget(const Sequence& sequence) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(reading_, [&](const auto& entry) { return entry.second == &sequence; });
}

// A page's features are kept by content, so other questions about the page find them.
void SequenceNetwork::need_features(Sequence& sequence, std::size_t image) {
  ImageFeatures& features = sequence.features_[image];
  if (features.defined()) return;
  const PromptTokens& prompt = sequence.prompt();
  features = prefixes_.features(prompt.image_hashes[image]);
  if (features.defined()) return;
  features = model_.image_features(
      preprocess::process_image(model_.spec().processor, *prompt.images[image]));
  prefixes_.keep_features(prompt.image_hashes[image], features);
}

std::int64_t SequenceNetwork::smallest_part(const serving::EngineSequence& engine_sequence) const {
  const auto& sequence = static_cast<const Sequence&>(engine_sequence);
  const bool entire_prompt = model_.decoder_spec().prompt_bidirectional && sequence.read() == 0;
  if (entire_prompt) return sequence.prompt_length();
  return model_.decoder_spec().images_bidirectional ? part_with_image(sequence).smallest : 1;
}

std::int64_t SequenceNetwork::largest_part(const serving::EngineSequence& engine_sequence) const {
  const auto& sequence = static_cast<const Sequence&>(engine_sequence);
  const std::vector<ForkPoint>& fork_points = sequence.prompt().fork_points;
  // A step ends at each fork point, so that its state can be kept there.
  const std::int64_t end = sequence.passed_ < fork_points.size()
                               ? fork_points[sequence.passed_].tokens
                               : sequence.total();
  const std::int64_t to_fork_point = end - sequence.read();
  if (!model_.decoder_spec().images_bidirectional) return to_fork_point;
  return std::min(to_fork_point, part_with_image(sequence).largest);
}

// A state is made here and not earlier, so that waiting sequences take no memory.
bool SequenceNetwork::reserve(serving::EngineSequence& engine_sequence, std::int64_t count) {
  Sequence& sequence = to_sequence(engine_sequence);
  const Running running(model_.device());
  if (!sequence.state_) sequence.state_ = model_.new_state();
  if (sequence.proposed_.empty()) return sequence.state_->reserve(count);
  try {
    if (sequence.state_->reserve(count)) return true;
  } catch (const std::bad_alloc&) {
    // The certain tokens may still fit.
  }
  sequence.proposed_.clear();
  return sequence.state_->reserve(std::min(count, sequence.total() - sequence.read()));
}

// The engine takes the memory for another call; this sequence will be prepared and read again.
void SequenceNetwork::release(serving::EngineSequence& engine_sequence) {
  Sequence& sequence = to_sequence(engine_sequence);
  sequence.state_.reset();
  sequence.proposed_.clear();
  sequence.read_ = 0;
  sequence.passed_ = 0;
  sequence.searched_ = false;
  forget(sequence);
}

void SequenceNetwork::step(std::span<const serving::StepPart> parts) {
  const Running running(model_.device());
  with_our_errors(model_.spec().name, [&] { with_bad_alloc([&] { read(parts); }); });
}

void SequenceNetwork::read(std::span<const serving::StepPart> parts) {
  std::vector<DecoderPart> decoder_parts;
  for (const serving::StepPart& part : parts) {
    Sequence& sequence = to_sequence(*part.sequence);
    decoder_parts.push_back(
        {sequence.state_.get(), part_positions(sequence, part.count), sequence.prompt_length()});
    if (model_.decoder_spec().images_bidirectional) {
      const auto& is_image = sequence.prompt().tokens.is_image;
      decoder_parts.back().images = image_spans(is_image, sequence.read(), part.count);
    }
  }
  const at::Tensor hidden = model_.decoder().read(embed(parts), decoder_parts);  // [T, hidden]
  keep_logits(parts, hidden);
  // Nothing fails from here on, so a step happens for all of its sequences or for none.
  for (const serving::StepPart& part : parts) advance(to_sequence(*part.sequence), part.count);
}

DecoderInput SequenceNetwork::embed(std::span<const serving::StepPart> parts) {
  std::vector<std::int64_t> ids, places;
  std::vector<ImageFeatures> features;
  for (const serving::StepPart& part : parts) {
    Sequence& sequence = to_sequence(*part.sequence);
    const std::int64_t begin = sequence.read();
    const auto offset = static_cast<std::int64_t>(ids.size());
    for (std::int64_t t = begin; t < begin + part.count; ++t) {
      ids.push_back(t < sequence.prompt_length() ? prompt_id(sequence, t)
                                                 : sequence.id_behind_prompt(t));
    }
    const Slots slots = slots_of(sequence.prompt().tokens.is_image, begin, part.count);
    for (const std::int64_t place : slots.places) places.push_back(offset + place);
    std::int64_t first = slots.first, left = static_cast<std::int64_t>(slots.places.size());
    for (std::size_t image = 0; left > 0; ++image) {
      const std::int64_t tokens = sequence.prompt().plans[image].tokens;
      if (first >= tokens) {
        first -= tokens;
        continue;
      }
      need_features(sequence, image);
      const std::int64_t taken = std::min(left, tokens - first);
      features.push_back(sequence.features_[image].narrow(first, taken));
      first = 0;
      left -= taken;
    }
  }
  return with_images(model_.decoder().embed(ids), places, features);
}

void SequenceNetwork::keep_logits(std::span<const serving::StepPart> parts,
                                  const at::Tensor& hidden) {
  struct Wanted {
    Sequence* sequence;
    std::int64_t rows;
  };
  std::vector<std::int64_t> rows;
  std::vector<Wanted> wanted;
  std::int64_t end = 0;
  for (const serving::StepPart& part : parts) {
    Sequence& sequence = to_sequence(*part.sequence);
    end += part.count;
    const std::int64_t read = sequence.read() + part.count;
    const std::int64_t behind = read - std::max(sequence.read(), sequence.prompt_length());
    const std::int64_t proposals = read - sequence.certain();  // read with the last certain token
    const std::int64_t count = sequence.every_row_ ? behind : proposals + 1;
    for (std::int64_t row = end - std::max<std::int64_t>(count, 0); row < end; ++row) {
      rows.push_back(row);
    }
    if (count > 0) wanted.push_back({&sequence, count});
  }
  if (rows.empty()) return;
  const at::Tensor picked = hidden.index_select(0, at::tensor(rows, at::kLong).to(hidden.device()));
  const at::Tensor logits = model_.logits(picked).cpu().contiguous();  // [rows, vocabulary]
  const auto width = static_cast<std::size_t>(logits.size(1));
  const float* next = logits.const_data_ptr<float>();
  // Reserves all memory first: if a step is repeated, it must not find rows that the failed one
  // left.
  for (const Wanted& want : wanted) {
    Matrix& kept = want.sequence->logits_;
    if (!want.sequence->every_row_) kept = Matrix();
    kept.values.reserve(kept.values.size() + static_cast<std::size_t>(want.rows) * width);
  }
  for (const Wanted& want : wanted) {
    Matrix& kept = want.sequence->logits_;
    const std::size_t size = static_cast<std::size_t>(want.rows) * width;
    kept.values.insert(kept.values.end(), next, next + size);
    kept.rows += static_cast<std::size_t>(want.rows);
    kept.cols = width;
    next += size;
  }
}

// At most one fork point is reached, because largest_part ends a part there.
void SequenceNetwork::advance(Sequence& sequence, std::int64_t count) {
  sequence.read_ += count;
  // If the step was too short for some proposals, they are not read.
  const std::int64_t proposals = std::max<std::int64_t>(0, sequence.read_ - sequence.certain());
  if (sequence.read_ >= sequence.certain()) {
    sequence.proposed_.resize(static_cast<std::size_t>(proposals));
  }
  if (proposals > 0) return;
  sequence.state_->advance(count);
  const std::vector<ForkPoint>& fork_points = sequence.prompt().fork_points;
  if (sequence.passed_ == fork_points.size() ||
      fork_points[sequence.passed_].tokens > sequence.read_)
    return;
  const std::size_t b = sequence.passed_++;
  try {
    with_bad_alloc([&] { prefixes_.keep(fork_points, b, *sequence.state_); });
  } catch (const std::bad_alloc&) {
    // The step has succeeded. The next question reads the page again.
  }
  const std::scoped_lock lock(mutex_);
  const auto found = reading_.find(fork_points[b].key);
  if (found != reading_.end() && found->second == &sequence) reading_.erase(found);
}

}  // namespace fineprint::nets
