// What was read once, found again by content: states of prompts up to the end of their system
// message or of an image, and the features of images.
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
#include "fineprint/serving/kept_states.h"

#include "nets/multimodal.h"

namespace fineprint::nets {

// A place in a prompt at which a state is kept: behind the system message, behind the last slot of
// an image, or behind what the last message repeats of others. The key stands for everything before
// it (the model, its number format, the tokens, the images' pixels).
struct Border {
  std::int64_t tokens = 0;
  std::string key;
  std::size_t images = 0;   // before it
  bool ends_image = false;  // else it is kept in memory only: text is soon read again
};
// A shorter text is read again as soon as it is found.
constexpr std::int64_t kLeastKept = 16;

// Where beginnings of a prompt end that other prompts have too, in tokens.
struct RepeatedTexts {
  std::int64_t system = 0;         // before any image; 0: there is none
  std::vector<std::int64_t> said;  // of messages, ascending; counts behind the last image
};

// Of an image's size and pixels.
std::string image_hash(const Image& image);

// Safe from several threads. States differ by model, build of LibTorch, number format and device:
// all are in the keys, and a state on the shelf that does not fit is refused.
class PageStates {
 public:
  // `build` names what computes the states; the LibTorch of this program unless a test says else.
  PageStates(const Multimodal& model, const serving::KeepOptions& options,
             std::string_view build = this_build());
  static std::string_view this_build();

  // None when the prompt sees itself both ways: then nothing of it is final before its end.
  // `images`: hashes, in the order of the prompt. Source of the positions: `sequence`.
  std::vector<Border> borders(const models::TokenSequence& sequence,
                              std::span<const preprocess::PixelInput> plans,
                              std::span<const std::string> images,
                              const RepeatedTexts& texts) const;

  struct Found {
    std::size_t borders = 0;               // how many of them the state has passed
    std::unique_ptr<SequenceState> state;  // nullptr when none
  };
  // The longest beginning that is kept in memory or on the shelf.
  Found find(std::span<const Border> borders);
  // Keeps a copy of a state that has come to borders[b] just now; with a shelf, one that ends an
  // image waits for `shelve`, too.
  void keep(std::span<const Border> borders, std::size_t b, const SequenceState& state);
  bool has_shelf() const { return options_.shelf != nullptr; }
  // Puts those that wait on the shelf, or lets them go.
  void shelve(std::span<const Border> borders);
  void let_go(std::span<const Border> borders);

  // Of an image, kept in memory or on the shelf; undefined when they are not.
  ImageFeatures features(const std::string& image);
  // In memory, and on the shelf when there is one.
  void keep_features(const std::string& image, const ImageFeatures& features);

  // Lets the least recently used go, then what waits for the shelf; false when nothing is kept.
  bool drop_oldest();

 private:
  bool take_from_shelf(const Border& border, SequenceState* state) const;
  std::shared_ptr<const SequenceState> take_waiting(const std::string& key);
  std::string features_key(const std::string& image) const;

  const Multimodal& model_;
  serving::KeepOptions options_;
  bool exact_;        // what comes back from the shelf is what was put there
  std::string base_;  // of all keys
  serving::KeptCache cache_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const SequenceState>> waiting_;  // for the shelf, by key
};

}  // namespace fineprint::nets
