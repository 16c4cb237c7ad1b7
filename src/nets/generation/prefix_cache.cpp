// Finds states and image features again by content, in memory and on the shelf (a store's prefix
// cache).
#include "nets/generation/prefix_cache.h"

#include <new>
#include <optional>

#include <ATen/Version.h>
#include <torch/version.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"

#include "nets/generation/shelf_bytes.h"

namespace fineprint::nets {
namespace {

// Must be raised when a change makes states of earlier versions wrong.
constexpr int kStateVersion = 2;

// A state in the cache. Forks share memory, so its size is what it adds to the one before.
struct CachedState final : serving::CachedContent {
  CachedState(std::shared_ptr<const SequenceState> kept, std::size_t more)
      : state(std::move(kept)), size(more) {}
  std::size_t bytes() const override { return size; }

  std::shared_ptr<const SequenceState> state;
  std::size_t size;  // bytes beyond the state at the fork point before it
};

struct CachedFeatures final : serving::CachedContent {
  explicit CachedFeatures(ImageFeatures kept) : features(std::move(kept)) {}
  std::size_t bytes() const override { return features.depths.nbytes(); }

  ImageFeatures features;
};

// Returns the token at which the shelf's entry for fork point `b` begins. An entry builds on the
// one before it, so that each page and passage is stored once.
std::int64_t shelf_begin(std::span<const ForkPoint> fork_points, std::size_t b) {
  while (b > 0) {
    if (fork_points[--b].shelved) return fork_points[b].tokens;
  }
  return 0;
}

// The same text may be divided by other fork points, and an entry fits only where it begins.
std::string shelf_key(std::span<const ForkPoint> fork_points, std::size_t b) {
  const ForkPoint& fork_point = fork_points[b];
  if (fork_point.ends_image) return fork_point.key;
  return content_hash(format("{}|from {}", fork_point.key, shelf_begin(fork_points, b)));
}

void keep_in(serving::ContentCache* cache, const std::string& key, std::int64_t tokens_before,
             std::shared_ptr<const SequenceState> state) {
  const std::size_t more = state->bytes(tokens_before);
  cache->put(key, std::make_shared<CachedState>(std::move(state), more));
}

std::string_view bytes_of(const std::vector<std::int64_t>& ids) {
  return {reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(std::int64_t)};
}

std::string_view name_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::none:
      return "";
    case Rounding::bfloat16:
      return "|rounded";
    case Rounding::bfloat16_and_results:
      return "|rounded with results";
  }
  return "";
}

}  // namespace

// The size is part of the hash, because images of different sizes can have equal bytes.
std::string image_hash(const Image& image) {
  const std::string_view pixels(reinterpret_cast<const char*>(image.pixels.data()),
                                image.pixels.size());
  return format("{}x{}x{}-{}", image.width, image.height, image.channels, content_hash(pixels));
}

std::string_view PrefixCache::this_build() { return "LibTorch " TORCH_VERSION; }

PrefixCache::PrefixCache(const Multimodal& model, const serving::PrefixCacheOptions& options,
                         std::string_view build)
    : model_(model), options_(options), cache_(options.cache_bytes) {
  check_shelf_dtype(options.shelf_dtype);
  const Device& device = model.device();
  const char* type = c10::toString(device.dtype);
  // Approximate states, and everything computed from them, get keys of their own, so that only
  // calls that accept them find them.
  exact_ = !options.shelf || !is_narrower(options.shelf_dtype, device.dtype);
  // Matrices in a narrower format than the checkpoint's make it a different model.
  const int matrices = device.matrices ? static_cast<int>(*device.matrices) : -1;
  base_ = format("state {}|{}|{}|{}|{}|{}|{}{}", kStateVersion, model.hash(), build,
                 device.device.is_cpu() ? "cpu" : "cuda", type, matrices,
                 exact_ ? "exact" : options.shelf_dtype, name_of(device.rounding));
}

std::vector<ForkPoint> PrefixCache::fork_points(const models::TokenSequence& sequence,
                                                std::span<const preprocess::PixelInput> plans,
                                                std::span<const std::string> images,
                                                const RepeatedTexts& texts) const {
  const models::Decoder& decoder = model_.decoder_spec();
  std::vector<ForkPoint> fork_points;
  // Such prompts have no token whose state is final before the prompt's end.
  if (decoder.prompt_bidirectional) return fork_points;
  // If a prompt is long enough to need the long factors, they rotate all of its positions.
  const bool longer =
      !decoder.rope.long_factors.empty() && extent_of(sequence) > decoder.rope.original_positions;
  std::string key = base_ + (longer ? "|long" : "");
  const auto add_text = [&](std::int64_t begin, std::int64_t end, std::size_t seen) {
    // A state of a few tokens is not worth its memory.
    if (end - (fork_points.empty() ? 0 : fork_points.back().tokens) < kLeastKept) return;
    const std::vector<std::int64_t> ids(sequence.ids.begin() + begin, sequence.ids.begin() + end);
    fork_points.push_back({end, content_hash(format("{}|text|{}", key, bytes_of(ids))), seen});
  };
  add_text(0, texts.system, 0);
  std::size_t image = 0;
  std::int64_t slots = 0;
  std::vector<std::int64_t> ids;
  for (std::size_t t = 0; t < sequence.ids.size() && image < images.size(); ++t) {
    if (sequence.is_image[t] == 0) {
      ids.push_back(sequence.ids[t]);
      continue;
    }
    if (++slots < plans[image].tokens) continue;
    key = content_hash(format("{}|{}|{}|{}", key, ids.size(), bytes_of(ids), images[image]));
    fork_points.push_back({static_cast<std::int64_t>(t) + 1, key, ++image, true});
    ids.clear();
    slots = 0;
  }
  // Text before the images is part of their keys already.
  const std::int64_t begin = image == 0 ? 0 : fork_points.back().tokens;
  for (const std::int64_t end : texts.said) add_text(begin, end, image);
  // The last token is always read, because its logits give the first token of the reply.
  if (!fork_points.empty() && fork_points.back().tokens == std::ssize(sequence.ids))
    fork_points.pop_back();
  for (ForkPoint& one : fork_points) one.shelved = one.ends_image || images.empty();
  return fork_points;
}

PrefixCache::Found PrefixCache::find(std::span<const ForkPoint> fork_points) {
  Found found;
  for (std::size_t b = fork_points.size(); b > 0 && !found.state; --b) {
    const auto kept = cache_.find(fork_points[b - 1].key);
    if (!kept) continue;
    found = {b, static_cast<const CachedState&>(*kept).state->fork()};
    // Touches the earlier ones too: they share memory with it and must not be evicted before it.
    for (std::size_t earlier = b - 1; earlier > 0; --earlier)
      cache_.find(fork_points[earlier - 1].key);
  }
  if (!options_.shelf) return found;
  // Each entry adds one image or text to the state before it, so they are restored in order.
  for (std::size_t b = found.fork_points; b < fork_points.size(); ++b) {
    if (!fork_points[b].shelved) continue;
    std::unique_ptr<SequenceState> state =
        shelf_begin(fork_points, b) > 0 ? found.state->fork() : model_.new_state();
    if (!take_from_shelf(fork_points, b, state.get())) break;
    keep_in(&cache_, fork_points[b].key, shelf_begin(fork_points, b), state->fork());
    found = {b + 1, std::move(state)};
  }
  return found;
}

bool PrefixCache::take_from_shelf(std::span<const ForkPoint> fork_points, std::size_t b,
                                  SequenceState* state) const {
  const auto item = options_.shelf->find(shelf_key(fork_points, b));
  if (!item) return false;
  try {
    state->restore(from_shelf_bytes(item->bytes));
    if (state->length() == fork_points[b].tokens) return true;
    log::warn("ignoring a cached state of {} because it ends at another token than the prompt",
              model_.spec().name);
  } catch (const std::bad_alloc&) {
    // More pages are on the shelf than fit into memory. The prompt is read instead.
  } catch (const Error& error) {
    log::warn("ignoring a cached state of {}: {}", model_.spec().name, error.what());
  }
  return false;
}

void PrefixCache::keep(std::span<const ForkPoint> fork_points, std::size_t b,
                       const SequenceState& state) {
  const ForkPoint& fork_point = fork_points[b];
  std::shared_ptr<const SequenceState> kept = state.fork();
  // Writing takes time, and this runs inside a step. `shelve` writes after the reply.
  if (options_.shelf && fork_point.shelved) {
    const std::scoped_lock lock(mutex_);
    waiting_[fork_point.key] = kept;
  }
  keep_in(&cache_, fork_point.key, b == 0 ? 0 : fork_points[b - 1].tokens, std::move(kept));
}

std::shared_ptr<const SequenceState> PrefixCache::take_waiting(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  const auto found = waiting_.find(key);
  if (found == waiting_.end()) return nullptr;
  auto state = std::move(found->second);
  waiting_.erase(found);
  return state;
}

void PrefixCache::shelve(std::span<const ForkPoint> fork_points) {
  for (std::size_t b = 0; b < fork_points.size(); ++b) {
    const auto state = take_waiting(fork_points[b].key);
    if (!state) continue;
    const std::vector<std::uint8_t> bytes = to_shelf_bytes(state->save(shelf_begin(fork_points, b)),
                                                           exact_ ? "auto" : options_.shelf_dtype);
    const std::span<const std::uint8_t> parts[] = {bytes};
    options_.shelf->put(shelf_key(fork_points, b), parts);
  }
}

void PrefixCache::let_go(std::span<const ForkPoint> fork_points) {
  for (const ForkPoint& fork_point : fork_points) take_waiting(fork_point.key);
}

bool PrefixCache::drop_oldest() {
  if (cache_.drop_oldest()) return true;
  const std::scoped_lock lock(mutex_);
  if (waiting_.empty()) return false;
  waiting_.erase(waiting_.begin());
  return true;
}

std::string PrefixCache::features_key(const std::string& image) const {
  return content_hash(base_ + "|features|" + image);
}

ImageFeatures PrefixCache::features(const std::string& image) {
  const std::string key = features_key(image);
  if (const auto kept = cache_.find(key)) {
    return static_cast<const CachedFeatures&>(*kept).features;
  }
  const auto item = options_.shelf ? options_.shelf->find(key) : std::nullopt;
  if (!item) return {};
  try {
    const at::Tensor rows = rows_from_bytes(item->bytes).to(model_.device().options());
    if (rows.size(0) % model_.feature_depths() != 0) {
      throw Error(ErrorCode::input, "they have another number of depths");
    }
    const ImageFeatures features{rows.view({model_.feature_depths(), -1, rows.size(1)})};
    cache_.put(key, std::make_shared<CachedFeatures>(features));
    return features;
  } catch (const Error& error) {
    log::warn("ignoring cached image features of a page: {}", error.what());
    return {};
  }
}

void PrefixCache::keep_features(const std::string& image, const ImageFeatures& features) {
  const std::string key = features_key(image);
  cache_.put(key, std::make_shared<CachedFeatures>(features));
  if (!options_.shelf) return;
  const std::vector<std::uint8_t> bytes = rows_to_bytes(features.depths.flatten(0, 1));
  const std::span<const std::uint8_t> parts[] = {bytes};
  options_.shelf->put(key, parts);
}

}  // namespace fineprint::nets
