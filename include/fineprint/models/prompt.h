// Turns messages, texts and image sizes into the token ids and positions that a decoder reads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/preprocess/image_processor.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

// How an image appears among the tokens. A slot is a token position that takes a feature of the
// image.
enum class ImageSlots {
  repeated,  // its marker is one token, repeated for each slot
  numbered,  // markers are numbered; texts between them are tokenised alone; ids -1, -2, ...
  tiled,     // its marker becomes a text with markers, each repeated for its slots: TileMarks
  in_rows,   // its marker, repeated for each slot, and a mark after each row of slots: RowMarks
};

// The text of an image that is cut into tiles. It begins with `begin`. Each tile follows `edge` and
// `tile`, and each row ends with `row_end`. If there are tiles, one more `row_end` comes next. The
// whole image follows `edge` and `whole`; a last `edge` and `end` end the text. Sources: the
// reference's processors of Idefics3 and of LFM2-VL.
struct TileMarks {
  std::string edge;                  // "<fake_token_around_image>"
  std::string tile;                  // "<row_{r}_col_{c}>", both counted from 1
  std::string whole;                 // "<global-img>"
  std::string row_end;               // "\n"
  std::string begin = {}, end = {};  // "<|image_start|>", "<|image_end|>"
  bool bare_alone = false;           // `whole` is left out if there are no tiles
};

// The marks after an image's rows of tokens. Source: Agrawal et al., "Pixtral 12B" (2024), section
// 2.2.
struct RowMarks {
  std::string row_end;   // after all rows but the last: "[IMG_BREAK]"
  std::string last_end;  // "[IMG_END]"
};

// Where the prefixes of questions and passages come from.
enum class PrefixSource {
  files,  // files of the model, even if they give none
  name,   // the table of names in known_prefixes.cpp
  user,
};

// A chat template as plain texts, written as in the template, special tokens included.
struct ChatTemplate {
  std::string default_system;  // used if no system message is given; empty: none
  std::string before_system, after_system;
  std::string before_user, after_user;
  std::string before_assistant, after_assistant;
  bool images_first = true;        // images come before a message's text
  std::string before_text = {};    // comes before a message's own text
  bool system_always = false;      // its frame is written even without a system message
  bool system_opens_user = false;  // its frame also opens the user message that follows
  // Follows `before_assistant` where a reply is requested, but not in earlier replies.
  std::string before_reply = {};
  std::string begin = {};  // once, before all messages
  // Comes before the text of a message that does not begin with an image.
  std::string before_first_text = {};
};

// How a generator is asked whether a document answers a question, in one word: "yes" or "no".
// Question and document (a text or a picture) are inserted between these texts. Sources: Zhang et
// al., "Qwen3 Embedding" (2025), section 2; Li et al., "Qwen3-VL-Embedding and Qwen3-VL-Reranker"
// (2026), section 3.1; the models' cards.
struct JudgeFrame {
  std::string before_question, before_document, after_document;
  int max_tokens = 8192;  // of everything; the end of a longer text is cut off
};

// How a model's inputs are written: chats, pages to embed, texts to embed.
struct Prompt {
  ImageSlots slots = ImageSlots::repeated;
  std::string image_marker;  // for example "<image>"; "{n}" is the image's number, from 1
  std::string image_before, image_after;  // around the marker in chats and pages
  std::int64_t image_token = -1;          // id of the marker, unless numbered
  TileMarks tile_marks;                   // if tiled
  RowMarks row_marks;                     // if in rows
  bool add_special = false;        // adds the tokenizer's template (<s>, [CLS]) around the text
  int merge = 1;                   // patches along a side of a token, for positions and rows
  bool spatial_positions = false;  // image tokens have time, row and column
  ChatTemplate chat;
  std::string no_chat = {};  // if there is no template: what to say of it; else empty

  // For embedding: {image} and {text} are replaced.
  std::string page_text = "{image}{text}";
  std::string query_text = "{text}";
  std::string passage_text = "{text}";  // for texts, if the model takes images
  // Come before a question and before a passage, for example "query: ". For sentence encoders;
  // page encoders of one vector have only the first.
  std::string query_prefix, passage_prefix;
  PrefixSource prefix_source = PrefixSource::files;
  std::vector<std::int64_t> embedding_suffix;  // ids appended to a text to embed
  int max_tokens = 0;                          // texts are cut there; 0: only the trunk's limit
  bool lower_case = false;                     // true if the tokenizer must lower-case
  // Late interaction over texts (ColBERT).
  // Source: Santhanam et al., "ColBERTv2" (2022), section 3.1; Khattab and Zaharia (2020), 3.2.
  std::string query_marker, passage_marker;  // second token of the sequence; empty: none
  int query_tokens = 0;                      // queries are filled up to this with the mask token
  int passage_tokens = 0;                    // passages are cut there
  bool attend_to_fill = false;
  bool skip_punctuation = false;                 // drops the vectors of passages at punctuation
  std::vector<std::string> skipped_tokens = {};  // and at these tokens
  bool fill_queries = true;                      // if false, queries end with their last token
  std::optional<JudgeFrame> judge = {};          // for models that can judge
};

// Who wrote a message.
enum class Role { system, user, assistant };

// One message of a conversation.
struct Message {
  Role role = Role::user;
  std::string text;
  std::vector<std::size_t> images;  // indices into the request's images
  // Label before each image, for example "Page 0: ", white space included. If there are fewer
  // labels than images, the other images have none.
  std::vector<std::string> image_labels = {};
  // Fork points: byte offsets in the text, ascending. Other prompts are the same up to one of them
  // and then differ. For example, an agent's instructions are the same for every question. The
  // state up to such an offset is worth caching.
  std::vector<std::size_t> repeated = {};
};

// A sequence of T tokens for a decoder.
struct TokenSequence {
  std::vector<std::int64_t> ids;       // [T]; -1, -2, ... at numbered image slots
  std::vector<std::uint8_t> is_image;  // [T]; slots take the features of the images in order
  // Time, height and width of each token [3][T]; all equal without spatial positions.
  std::array<std::vector<std::int64_t>, 3> positions;
  std::int64_t next_position = 0;  // position of the first generated token
};

// Returns the conversation as the chat template writes it, up to where the assistant's reply
// begins, with image markers. Markers are numbered in order: marker k belongs to image k of all
// messages, and `tokenize` needs the images in this order.
//
// Special tokens and image markers in a message's text or labels are broken up by a space after
// their first character, so that no text can end its own message. Throws Error(model) if the model
// has no chat template.
std::string chat_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                      std::span<const Message> messages);

// Returns a text of a person or a document with special tokens and image markers broken up.
std::string plain_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                       std::string text);

// Return `page_text`, `query_text` or `passage_text` with the text inserted, a question after
// `query_prefix`. The image of a page is
// the first image. Image markers in `text` are broken up.
std::string page_prompt(const Prompt& prompt, const std::string& text);
std::string query_prompt(const Prompt& prompt, const std::string& text);
std::string passage_prompt(const Prompt& prompt, const std::string& text);

// Return Prompt::judge with the question and a text, or an image's marker, inserted. Special tokens
// and image markers in both texts are broken up.
std::string judged_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                        const std::string& question, const std::string& document);
std::string judged_image(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                         const std::string& question);

// Tokenises a text with image markers. `images` are the planned or processed images, in order;
// `first_position` is the decoder's. Throws Error(input) if the numbers of markers and images
// differ, or if numbered markers are not 1, 2, ... in order. Neither cuts the sequence nor appends
// `embedding_suffix`: after such a change, call `set_positions` again.
TokenSequence tokenize(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                       const std::string& text, std::span<const preprocess::PixelInput> images,
                       int first_position = 0);

// Fills `positions` and `next_position` from ids, is_image and the grids of the images. Source:
// Wang et al., "Qwen2-VL" (2024), section 2.1 (multimodal rotary positions).
void set_positions(const Prompt& prompt, std::span<const preprocess::PixelInput> images,
                   int first_position, TokenSequence* sequence);

}  // namespace fineprint::models
