// Makes token ids of a text with image markers; each marker becomes as many tokens as its image
// has.
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
  // Both lists grow together, because positions and masks are computed from pairs of them.
  for (const tokenizer::Token& token : tokens) sequence->ids.push_back(token.id);
  sequence->is_image.resize(sequence->ids.size(), 0);
}

void append_slots(std::int64_t id, std::int64_t slots, TokenSequence* sequence) {
  const std::size_t count = sequence->ids.size() + static_cast<std::size_t>(slots);
  sequence->ids.resize(count, id);
  sequence->is_image.resize(count, 1);
}

// `slots` is the number of slots of each marker, in order.
void append_with_slots(const Prompt& prompt, const std::vector<tokenizer::Token>& tokens,
                       const std::vector<std::int64_t>& slots, TokenSequence* sequence) {
  std::size_t marker = 0;
  for (const tokenizer::Token& token : tokens) {
    if (token.id == prompt.image_token) {
      append_slots(token.id, slots[marker++], sequence);
    } else {
      append_tokens({token}, sequence);
    }
  }
}

std::size_t count_markers(const Prompt& prompt, const std::vector<tokenizer::Token>& tokens) {
  return static_cast<std::size_t>(
      std::ranges::count(tokens, prompt.image_token, &tokenizer::Token::id));
}

void tokenize_repeated(const Prompt& prompt, const std::vector<tokenizer::Token>& tokens,
                       std::span<const preprocess::PixelInput> images, TokenSequence* sequence) {
  check_count(count_markers(prompt, tokens), images.size());
  std::vector<std::int64_t> slots;
  for (const preprocess::PixelInput& image : images) slots.push_back(image.tokens);
  append_with_slots(prompt, tokens, slots, sequence);
}

// The text that replaces an image's marker, and the number of slots of each marker in it.
struct ImageText {
  std::string text;
  std::vector<std::int64_t> slots;
};

ImageText text_of_image(const Prompt& prompt, const preprocess::PixelInput& image) {
  const bool in_rows = prompt.slots == ImageSlots::in_rows;
  ImageText made{in_rows ? rows_text(prompt, image) : tiles_text(prompt, image), {}};
  for (const auto& [rows, columns] : image.views) {
    made.slots.push_back(rows / prompt.merge * (columns / prompt.merge));
  }
  if (!made.slots.empty()) return made;
  // A marker for each row, or for each view: tile or whole image. All have the same number of
  // slots.
  const std::int64_t markers = in_rows ? image.grid[1] / prompt.merge : views_of(image);
  made.slots.assign(static_cast<std::size_t>(markers),
                    image.tokens / std::max<std::int64_t>(markers, 1));
  return made;
}

// Replaces each marker by the text of its image before tokenising.
void tokenize_with_marks(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                         const std::string& text, std::span<const preprocess::PixelInput> images,
                         TokenSequence* sequence) {
  const std::vector<FoundMarker> markers = find_markers(prompt, text);
  check_count(markers.size(), images.size());
  std::string written;
  std::vector<std::int64_t> slots;
  std::size_t at = 0;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const ImageText image = text_of_image(prompt, images[i]);
    written += text.substr(at, markers[i].begin - at) + image.text;
    slots.insert(slots.end(), image.slots.begin(), image.slots.end());
    at = markers[i].end;
  }
  written += text.substr(at);
  const std::vector<tokenizer::Token> tokens = tokenizer.encode(written, prompt.add_special);
  // Checked, because a tokenizer of another model may split the marker into other tokens.
  if (count_markers(prompt, tokens) != slots.size()) {
    throw Error(ErrorCode::model,
                format("the tokenizer makes {} tokens of {} markers \"{}\": it does not belong to "
                       "this model",
                       count_markers(prompt, tokens), slots.size(), prompt.image_marker));
  }
  append_with_slots(prompt, tokens, slots, sequence);
}

// Tokenises each text between markers alone, as the reference does.
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
    // Negative ids are no tokens of the vocabulary; the network replaces them by image features.
    append_slots(-static_cast<std::int64_t>(i) - 1, images[i].tokens, sequence);
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
  } else if (prompt.slots != ImageSlots::repeated) {
    tokenize_with_marks(prompt, tokenizer, text, images, &sequence);
  } else {
    tokenize_repeated(prompt, tokenizer.encode(text, prompt.add_special), images, &sequence);
  }
  set_positions(prompt, images, first_position, &sequence);
  return sequence;
}

}  // namespace fineprint::models
