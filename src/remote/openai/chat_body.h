// What is sent to a chat completions server.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/models/generator.h"
#include "fineprint/remote/openai_generator.h"

namespace fineprint::remote {

// How a JSON reply is asked for; each is understood by more servers than the one before.
enum class JsonMode { schema, object, words };

// What a server has been found to take. Begins with everything that it may.
struct Habits {
  int top_log_probabilities = 20;  // 0: no log-probabilities at all
  bool stream_options = true;      // asks for the usage at the end of the stream
  bool seed = true;
  bool max_tokens = true;  // by this name; else max_completion_tokens
  JsonMode json = JsonMode::schema;

  bool operator==(const Habits&) const = default;
};

// What a server takes that was found to take `a` and, by another call, `b`.
Habits common_habits(const Habits& a, const Habits& b);

// `refused` is what the server said to a body of `habits`. The habits without what it names;
// `habits` themselves when it names nothing that could be left out.
Habits without_named(const Habits& habits, const std::string& refused);

// JSON asked for in the next way; `habits` themselves after the last one.
Habits with_next_json(const Habits& habits);

// "data:image/png;base64,..." of each image.
std::vector<std::string> data_urls(std::span<const SharedImage> images, PictureFormat format);

struct ChatCall {
  const std::string& model;
  const models::Request& request;
  const models::SamplingOptions& options;
  const std::vector<std::string>& pictures;     // data URLs of the request's images
  const grammar::JsonSchema* schema = nullptr;  // when JSON is wanted
};

// In each message the images stand before the text, each behind its label. With JsonMode::object
// and ::words the schema follows the last message's text.
std::string chat_body(const ChatCall& call, const Habits& habits);

}  // namespace fineprint::remote
