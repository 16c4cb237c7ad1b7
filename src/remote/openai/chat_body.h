// The body of a chat completions call.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/models/generator.h"
#include "fineprint/remote/openai_generator.h"

namespace fineprint::remote {

// How a JSON reply is requested. Each mode is understood by more servers than the one before.
enum class JsonMode { schema, object, words };

// The features that a server accepts, as far as is known. Starts with all of them.
struct Habits {
  int top_log_probabilities = 20;  // 0: no log-probabilities at all
  bool stream_options = true;      // asks for the usage at the end of the stream
  bool seed = true;
  bool max_tokens = true;  // under this name; if false, as max_completion_tokens
  JsonMode json = JsonMode::schema;

  bool operator==(const Habits&) const = default;
};

// Returns the features that a server accepts if one call found `a` and another call `b`.
Habits common_habits(const Habits& a, const Habits& b);

// Returns `habits` without the features that `refused` names, which is the server's error for a
// body of `habits`. Returns `habits` unchanged if it names no feature that can be left out.
Habits without_named(const Habits& habits, const std::string& refused);

// Returns `habits` with the next JsonMode, or unchanged after the last one.
Habits with_next_json(const Habits& habits);

// Returns "data:image/png;base64,..." or the same for JPEG.
std::string data_url(const Image& picture, PictureFormat format);
// Returns one for each image.
std::vector<std::string> data_urls(std::span<const SharedImage> images, PictureFormat format);

struct ChatCall {
  const std::string& model;
  const models::Request& request;
  const models::SamplingOptions& options;
  const std::vector<std::string>& pictures;     // data URLs of the request's images
  const grammar::JsonSchema* schema = nullptr;  // null: the reply may be any text
};

// Returns the body as JSON text. In each message, the images precede the text, each after its
// label. With JsonMode::object and ::words, the schema follows the last message's text.
std::string chat_body(const ChatCall& call, const Habits& habits);

}  // namespace fineprint::remote
