// Finds states and image features again by content: states of prompts up to the end of their system
// message, of an image or of a passage of text, and the features of images. A page that was read
// once need not be read again for the next question.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/core/image.h"
#include "fineprint/serving/prefix_cache.h"

#include "nets/multimodal.h"

namespace fineprint::nets {

// A fork point: a token position at which a state is kept. It is after the system message, after
// the last slot of an image, or after text of the last message that other prompts repeat. The key
// is a hash of everything before it (the model, its number format, the tokens, the images' pixels).
struct ForkPoint {
  std::int64_t tokens = 0;
  std::string key;
  std::size_t images = 0;  // images before it
  bool ends_image = false;
  // Whether its state is kept beyond the process. Text next to images is not, because reading it
  // takes little of the time.
  bool shelved = false;
};
// Reading fewer tokens than this again costs no more than finding their state.
constexpr std::int64_t kLeastKept = 16;

// The token positions where text ends that other prompts begin with too.
struct RepeatedTexts {
  std::int64_t system = 0;         // end of the system message, before any image; 0: none
  std::vector<std::int64_t> said;  // ends within messages, ascending; used after the last image
};

// Returns a hash of an image's size and pixels.
std::string image_hash(const Image& image);

// Safe to use from several threads. States differ by model, build of LibTorch, number format and
// device. All of these are in the keys, and a state on the shelf that still does not fit is
// ignored.
class PrefixCache {
 public:
  // `build` names the library that computes the states. Tests pass another one.
  PrefixCache(const Multimodal& model, const serving::PrefixCacheOptions& options,
              std::string_view build = this_build());
  static std::string_view this_build();

  // Returns the fork points of a prompt; none if its tokens see each other in both directions,
  // because then no token's state is final before the prompt's end. `images` holds the hashes in
  // the order of the prompt.
  std::vector<ForkPoint> fork_points(const models::TokenSequence& sequence,
                                     std::span<const preprocess::PixelInput> plans,
                                     std::span<const std::string> images,
                                     const RepeatedTexts& texts) const;

  struct Found {
    std::size_t fork_points = 0;           // fork points that the state has passed
    std::unique_ptr<SequenceState> state;  // nullptr if nothing was found
  };
  // Returns the state of the longest beginning that is in memory or on the shelf.
  Found find(std::span<const ForkPoint> fork_points);
  // Keeps a copy of a state that has just reached fork_points[b]. If there is a shelf for it, the
  // copy also waits for `shelve`.
  void keep(std::span<const ForkPoint> fork_points, std::size_t b, const SequenceState& state);
  bool has_shelf() const { return options_.shelf != nullptr; }
  // `shelve` writes the waiting states to the shelf; `let_go` drops them.
  void shelve(std::span<const ForkPoint> fork_points);
  void let_go(std::span<const ForkPoint> fork_points);

  // Returns the features of an image from memory or the shelf; undefined if there are none.
  ImageFeatures features(const std::string& image);
  // Keeps features in memory, and on the shelf if there is one.
  void keep_features(const std::string& image, const ImageFeatures& features);

  // Frees the least recently used state, or, if there is none, one that waits for the shelf.
  // Returns false if nothing is kept.
  bool drop_oldest();

 private:
  bool take_from_shelf(std::span<const ForkPoint> fork_points, std::size_t b,
                       SequenceState* state) const;
  std::shared_ptr<const SequenceState> take_waiting(const std::string& key);
  std::string features_key(const std::string& image) const;

  const Multimodal& model_;
  serving::PrefixCacheOptions options_;
  bool exact_;        // the shelf returns states unchanged
  std::string base_;  // the beginning of all keys
  serving::ContentCache cache_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const SequenceState>> waiting_;  // for the shelf, by key
};

}  // namespace fineprint::nets
