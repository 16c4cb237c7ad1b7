// From messages, texts and image sizes to the token ids and positions that a decoder reads.
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

// How an image stands among the tokens.
enum class ImageSlots {
  repeated,  // its marker is one token, repeated once a slot
  numbered,  // markers are numbered; texts between them are tokenised apart; ids -1, -2, ...
  tiled,     // its marker becomes a text with markers, each a token repeated once a slot: TileMarks
};

// The text that stands for an image cut into tiles: before each tile `edge` and `tile`, after each
// row `row_end`; then, behind one more `row_end` where there are tiles, `edge` and `whole` before
// the whole image, and `edge`. Source: the reference's processor of Idefics3.
struct TileMarks {
  std::string edge;     // "<fake_token_around_image>"
  std::string tile;     // "<row_{r}_col_{c}>", both counted from 1
  std::string whole;    // "<global-img>"
  std::string row_end;  // "\n"
};

// Who says what stands before questions and passages.
enum class PrefixSource {
  files,  // the model's, also by saying nothing
  name,   // the model's name
  user,
};

// Facts of the chat template. Texts are written as in the template, special tokens included.
struct ChatTemplate {
  std::string default_system;  // used when no system message is given; empty: none
  std::string before_system, after_system;
  std::string before_user, after_user;
  std::string before_assistant, after_assistant;
  bool images_first = true;        // images stand before a message's text
  std::string before_text = {};    // stands before a message's own text
  bool system_always = false;      // the system message's frame is written without one, too
  bool system_opens_user = false;  // its frame opens the user's message behind it, too
  // Stands behind `before_assistant` where a reply is asked for, and not before earlier ones.
  std::string before_reply = {};
  std::string begin = {};  // once, before all messages
  // Before the text of a message that does not begin with an image.
  std::string before_first_text = {};
};

// How a model that generates is asked whether a document answers a question, in one word: "yes" or
// "no". The question and the document, a text or a picture, stand between these texts. Sources:
// Zhang et al., "Qwen3 Embedding" (2025), section 2; Li et al., "Qwen3-VL-Embedding and
// Qwen3-VL-Reranker" (2026), section 3.1; the models' cards.
struct JudgeFrame {
  std::string before_question, before_document, after_document;
  int max_tokens = 8192;  // of all together; longer texts lose their end
};

struct Prompt {
  ImageSlots slots = ImageSlots::repeated;
  std::string image_marker;               // "<image>"; "{n}" stands for the image's number, from 1
  std::string image_before, image_after;  // around the marker in chats and pages
  std::int64_t image_token = -1;          // id of the marker, when repeated or tiled
  TileMarks tile_marks;                   // when tiled
  bool add_special = false;  // the tokenizer's template (<s>, [CLS]) goes around the whole text
  int merge = 1;             // patches a side of a token, for positions
  bool spatial_positions = false;  // image tokens have time, row and column
  ChatTemplate chat;

  // For embedding; {image} and {text} are replaced.
  std::string page_text = "{image}{text}";
  std::string query_text = "{text}";
  std::string passage_text = "{text}";  // of texts, where the model sees pages
  // Of sentence encoders: stand before a question and before a passage ("query: ").
  std::string query_prefix, passage_prefix;
  PrefixSource prefix_source = PrefixSource::files;
  std::vector<std::int64_t> embedding_suffix;  // ids appended to a text that is embedded
  int max_tokens = 0;       // texts are cut there; 0: no limit but the trunk's positions
  bool lower_case = false;  // the tokenizer must lower-case
  // Late interaction over texts (ColBERT).
  // Source: Santhanam et al., "ColBERTv2" (2022), section 3.1; Khattab and Zaharia (2020), 3.2.
  std::string query_marker, passage_marker;  // second token of the sequence; empty: none
  int query_tokens = 0;                      // queries are filled up to this with the mask token
  int passage_tokens = 0;                    // passages are cut there
  bool attend_to_fill = false;
  bool skip_punctuation = false;                 // passages' vectors at punctuation are dropped
  std::vector<std::string> skipped_tokens = {};  // and those at these tokens
  bool fill_queries = true;                      // else they end with their last token
  std::optional<JudgeFrame> judge = {};          // of models that can be asked so
};

enum class Role { system, user, assistant };

struct Message {
  Role role = Role::user;
  std::string text;
  std::vector<std::size_t> images;  // indices into the request's images
  // What stands before each image ("Page 0: "), white space included; fewer: the others have none.
  std::vector<std::string> image_labels = {};
  // Bytes of the text, ascending: other prompts that are the same up to one of these may go on
  // differently (what an agent is told whatever the question is, texts of a document before the
  // question): reading so much once is worth a kept state.
  std::vector<std::size_t> repeated = {};
};

// A sequence for a decoder of T tokens.
struct TokenSequence {
  std::vector<std::int64_t> ids;       // [T]; at numbered image slots -1, -2, ...
  std::vector<std::uint8_t> is_image;  // [T]; slots take the images' features in order
  // Time, height and width of each token [3][T]; all three alike without spatial positions.
  std::array<std::vector<std::int64_t>, 3> positions;
  std::int64_t next_position = 0;  // of the first token that is generated
};

// The whole conversation as the chat template writes it, ending where the assistant's reply
// begins, with image markers in their places. Markers are numbered as they come: the k-th one
// stands for the k-th of all messages' images, one message after the other, and `tokenize` wants
// the images in that order. Special tokens and image markers that stand in a message's text or
// labels are broken up (a space after their first character), so that no text can end its own
// message.
std::string chat_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                      std::span<const Message> messages);

// What a person or a document wrote, with special tokens and image markers broken up.
std::string plain_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                       std::string text);

// `page_text`, `query_text` or `passage_text` filled in; the image of a page is the first. Image
// markers in `text` are broken up.
std::string page_prompt(const Prompt& prompt, const std::string& text);
std::string query_prompt(const Prompt& prompt, const std::string& text);
std::string passage_prompt(const Prompt& prompt, const std::string& text);

// Prompt::judge filled in: with a text, or with an image's marker. Special tokens and image markers
// in either text are broken up.
std::string judged_text(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                        const std::string& question, const std::string& document);
std::string judged_image(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                         const std::string& question);

// Tokenises a text with image markers. `images` are the planned or processed images, in order.
// `first_position` is the decoder's. Throws Error(input) when markers and images differ in number,
// or when numbered markers are not 1, 2, ... in order. Neither cuts nor appends `embedding_suffix`:
// whoever does calls `set_positions` again.
TokenSequence tokenize(const Prompt& prompt, const tokenizer::Tokenizer& tokenizer,
                       const std::string& text, std::span<const preprocess::PixelInput> images,
                       int first_position = 0);

// Fills `positions` and `next_position` from ids, is_image and the images' grids.
// Source: Wang et al., "Qwen2-VL" (2024), section 2.1 (multimodal rotary positions).
void set_positions(const Prompt& prompt, std::span<const preprocess::PixelInput> images,
                   int first_position, TokenSequence* sequence);

}  // namespace fineprint::models
