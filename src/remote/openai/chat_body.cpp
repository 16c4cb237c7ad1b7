// Writes the body of a chat completions call.
#include "remote/openai/chat_body.h"

#include <algorithm>

#include "fineprint/core/base64.h"
#include "fineprint/core/json.h"
#include "fineprint/image/codec.h"

namespace fineprint::remote {
namespace {

constexpr std::size_t kMostStops =
    4;  // what servers accept; this process applies the others itself

const char* role_name(models::Role role) {
  switch (role) {
    case models::Role::system:
      return "system";
    case models::Role::user:
      return "user";
    case models::Role::assistant:
      return "assistant";
  }
  return "";
}

// Returns a plain string if there are no images, because every server accepts that.
Json content_of(const models::Message& message, const std::string& text,
                const std::vector<std::string>& pictures) {
  if (message.images.empty()) return text;
  Json parts = Json::array();
  for (std::size_t i = 0; i < message.images.size(); ++i) {
    if (i < message.image_labels.size() && !message.image_labels[i].empty()) {
      parts.push_back({{"type", "text"}, {"text", message.image_labels[i]}});
    }
    parts.push_back(
        {{"type", "image_url"}, {"image_url", {{"url", pictures.at(message.images[i])}}}});
  }
  if (!text.empty()) parts.push_back({{"type", "text"}, {"text", text}});
  return parts;
}

// If the server does not get the schema in a field of its own, the last message ends with it.
Json messages_of(const ChatCall& call, const Habits& habits) {
  Json messages = Json::array();
  const std::vector<models::Message>& all = call.request.messages;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string text = all[i].text;
    if (i + 1 == all.size() && call.schema != nullptr && habits.json != JsonMode::schema) {
      text += "\n\nAnswer with one JSON object that fits this JSON schema, and nothing else:\n" +
              call.schema->text();
    }
    messages.push_back(
        {{"role", role_name(all[i].role)}, {"content", content_of(all[i], text, call.pictures)}});
  }
  return messages;
}

// max_tokens and max_completion_tokens mean the same; newer OpenAI models accept only the latter,
// most servers only the former.
void add_sampling(const models::SamplingOptions& options, const Habits& habits, Json* body) {
  (*body)[habits.max_tokens ? "max_tokens" : "max_completion_tokens"] = options.max_new_tokens;
  (*body)["temperature"] = options.temperature.value_or(0);
  // Fields that not every server knows are sent only if they change something.
  if (options.top_p) (*body)["top_p"] = *options.top_p;
  if (options.top_k && *options.top_k > 0) (*body)["top_k"] = *options.top_k;
  if (options.repetition_penalty && *options.repetition_penalty != 1) {
    (*body)["repetition_penalty"] = *options.repetition_penalty;
  }
  if (habits.seed) (*body)["seed"] = options.seed;
  if (!options.stop.empty()) {
    const auto end = options.stop.begin() +
                     static_cast<std::ptrdiff_t>(std::min(kMostStops, options.stop.size()));
    (*body)["stop"] = std::vector<std::string>(options.stop.begin(), end);
  }
}

// Servers reject a body in sentences of their own; they have in common that they name the field.
bool names(const std::string& refused, std::string_view what) {
  return refused.find(what) != std::string::npos;
}

}  // namespace

// The weaker of both in every feature.
Habits common_habits(const Habits& a, const Habits& b) {
  return {.top_log_probabilities = std::min(a.top_log_probabilities, b.top_log_probabilities),
          .stream_options = a.stream_options && b.stream_options,
          .seed = a.seed && b.seed,
          .max_tokens = a.max_tokens && b.max_tokens,
          .json = std::max(a.json, b.json)};
}

Habits without_named(const Habits& habits, const std::string& refused) {
  Habits less = habits;
  if (names(refused, "logprobs")) {
    // Some servers return fewer than 20.
    less.top_log_probabilities = habits.top_log_probabilities > 5 ? 5 : 0;
    // The server lists fields that it does not know at all. If `logprobs` itself is among them,
    // fewer would be refused, too.
    if (names(refused, "'logprobs'") || names(refused, "\"logprobs\"")) {
      less.top_log_probabilities = 0;
    }
  }
  if (names(refused, "stream_options")) less.stream_options = false;
  if (names(refused, "seed")) less.seed = false;
  if (names(refused, "max_completion_tokens")) less.max_tokens = false;
  if (names(refused, "response_format") || names(refused, "json_schema") ||
      names(refused, "grammar")) {
    less.json = with_next_json(habits).json;
  }
  return less;
}

// Each step down is understood by more servers.
Habits with_next_json(const Habits& habits) {
  Habits next = habits;
  next.json = habits.json == JsonMode::schema ? JsonMode::object : JsonMode::words;
  return next;
}

std::string data_url(const Image& picture, PictureFormat format) {
  const bool jpeg =
      format == PictureFormat::jpeg && picture.channels != 4;  // JPEG has no alpha channel
  std::string url = jpeg ? "data:image/jpeg;base64," : "data:image/png;base64,";
  append_base64(jpeg ? image::encode_jpeg(picture) : image::encode_png(picture), &url);
  return url;
}

// Called once for all attempts of a call.
std::vector<std::string> data_urls(std::span<const SharedImage> images, PictureFormat format) {
  std::vector<std::string> urls;
  urls.reserve(images.size());
  for (const SharedImage& picture : images) urls.push_back(data_url(picture, format));
  return urls;
}

std::string chat_body(const ChatCall& call, const Habits& habits) {
  Json body = {{"model", call.model}, {"messages", messages_of(call, habits)}, {"stream", true}};
  if (habits.stream_options) body["stream_options"] = {{"include_usage", true}};
  add_sampling(call.options, habits, &body);
  if (habits.top_log_probabilities > 0) {
    body["logprobs"] = true;
    body["top_logprobs"] = habits.top_log_probabilities;
  }
  if (call.schema != nullptr && habits.json == JsonMode::schema) {
    body["response_format"] = {{"type", "json_schema"},
                               {"json_schema",
                                {{"name", "reply"},
                                 {"strict", true},
                                 {"schema", parse_json(call.schema->text(), "the schema")}}}};
  } else if (call.schema != nullptr && habits.json == JsonMode::object) {
    body["response_format"] = {{"type", "json_object"}};
  }
  return dump_json(body);
}

}  // namespace fineprint::remote
