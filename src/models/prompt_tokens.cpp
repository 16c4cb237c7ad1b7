// Token ids of a text with image markers, each marker standing for as many tokens as its image.
#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/models/prompt.h"

#include "models/prompt_marker.h"

namespace fineprint::models {
namespace {

void check_count(std::size_t markers, std::size_t images) {
  if (markers == images) return;
  throw Error(ErrorCode::input,
              format("the prompt has {} image markers for {} images; each image needs one", markers,
                     images));
}

void append_tokens(const std::vector<tokenizer::Token>& tokens, TokenSequence* sequence) {
  for (const tokenizer::Token& token : tokens) sequence->ids.push_back(token.id);
  sequence->is_image.resize(sequence->ids.size(), 0);
}

void append_slots(std::int64_t id, const preprocess::PixelInput& image, TokenSequence* sequence) {
  const std::size_t count = sequence->ids.size() + static_cast<std::size_t>(image.tokens);
  sequence->ids.resize(count, id);
  sequence->is_image.resize(count, 1);
}

void tokenize_repeated(const Prompt& prompt, const std::vector<tokenizer::Token>& tokens,
                       std::span<const preprocess::PixelInput> images, TokenSequence* sequence) {
  const auto is_marker = [&](const tokenizer::Token& token) {
    return token.id == prompt.image_token;
  };
  check_count(static_cast<std::size_t>(std::count_if(tokens.begin(), tokens.end(), is_marker)),
              images.size());
  std::size_t image = 0;
  for (const tokenizer::Token& token : tokens) {
    if (is_marker(token)) {
      append_slots(token.id, images[image++], sequence);
    } else {
      append_tokens({token}, sequence);
    }
  }
}

// The texts between markers are tokenised as if each stood alone.
void tokenize_numbered(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                       const std::string& text, std::span<const preprocess::PixelInput> images,
                       TokenSequence* sequence) {
  const std::vector<FoundMarker> markers = find_markers(prompt, text);
  check_count(markers.size(), images.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (markers[i].number != format("{}", i + 1)) {
      throw Error(ErrorCode::input,
                  format("image marker {} of the prompt has the number {}; markers must be "
                         "numbered 1, 2, ... in order",
                         i + 1, markers[i].number));
    }
    append_tokens(tokenizer.encode(text.substr(at, markers[i].begin - at), prompt.add_special),
                  sequence);
    append_slots(-static_cast<std::int64_t>(i) - 1, images[i], sequence);
    at = markers[i].end;
  }
  append_tokens(tokenizer.encode(text.substr(at), prompt.add_special), sequence);
}

}  // namespace

TokenSequence tokenize(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                       const std::string& text, std::span<const preprocess::PixelInput> images,
                       int first_position) {
  TokenSequence sequence;
  if (prompt.slots == ImageSlots::numbered) {
    tokenize_numbered(prompt, tokenizer, text, images, &sequence);
  } else {
    tokenize_repeated(prompt, tokenizer.encode(text, prompt.add_special), images, &sequence);
  }
  set_positions(prompt, images, first_position, &sequence);
  return sequence;
}

}  // namespace fineprint::models
