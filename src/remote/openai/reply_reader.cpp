// Reads the pieces of a reply.
#include "remote/openai/reply_reader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

namespace fineprint::remote {
namespace {

// Returns the member of an object, or a null Json if there is none.
const Json& member(const Json& object, const char* name) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

// Returns a message's content: a text, or a list of parts, of which those of type text count.
std::string message_text(const Json& content) {
  if (!content.is_array()) return text_of(content);
  std::string text;
  for (const Json& part : content)
    text += part.is_string() ? text_of(part) : text_of(member(part, "text"));
  return text;
}

std::int64_t count_of(const Json& value) {
  return value.is_number() ? std::max<std::int64_t>(0, value.get<std::int64_t>()) : 0;
}

// Servers write -9999 or null if there is no probability.
double log_probability_of(const Json& value) {
  const double given = value.is_number() ? value.get<double>() : -9999;
  return std::isnan(given) ? -9999 : std::min(0.0, given);
}

TopTokens top_of(const Json& token) {
  TopTokens top;
  const Json& list = member(token, "top_logprobs");
  if (!list.is_array()) return top;
  for (const Json& entry : list) {
    top.emplace_back(text_of(member(entry, "token")), log_probability_of(member(entry, "logprob")));
  }
  return top;
}

// The forms differ: {"error": {"message"}}, {"error": str}, {"detail": str or list}, {"message"}.
std::string message_in(const Json& value) {
  for (const char* name : {"error", "detail", "message"}) {
    const Json& inner = member(value, name);
    if (inner.is_string()) return inner.get<std::string>();
    if (inner.is_object() && member(inner, "message").is_string()) {
      return text_of(member(inner, "message"));
    }
    if (inner.is_structured() && !inner.empty()) return dump_json(inner);
  }
  return {};
}

// Any other reason counts as a normal end.
models::Finish finish_of(const Json& choice, const std::string& reason) {
  if (reason == "length") return models::Finish::length;
  // Only vLLM names the stop string that ended the reply.
  return member(choice, "stop_reason").is_string() ? models::Finish::stop_text
                                                   : models::Finish::end_token;
}

}  // namespace

// Servers may put an HTML page or a stack trace into an error.
std::string short_line(std::string_view said) {
  constexpr std::size_t kLongest = 300;
  std::string text = valid_utf8(said);
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' '; }, ' ');
  if (text.size() > kLongest) text = valid_utf8(text.substr(0, kLongest)) + "...";
  return text;
}

// Few large entries have less entropy than many small ones, so the rest is taken as entries of the
// largest possible size.
double least_entropy(const TopTokens& top) {
  if (top.empty()) return std::numeric_limits<double>::quiet_NaN();
  double entropy = 0, rest = 1,
         most = 1;  // most: the largest probability that an unlisted token can have
  for (std::size_t i = 0; i < top.size(); ++i) {
    const double p = std::exp(top[i].second);
    if (p > 0) entropy -= p * top[i].second;
    rest -= p;
    if (i + 1 < top.size()) most = std::min(most, p);
  }
  if (rest <= 0 || most <= 0) return entropy;
  return entropy - rest * std::log(std::min(rest, most));
}

double top_entropy(const TopTokens& top) {
  if (top.size() < models::kTopTokens) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> logs;
  for (const auto& [token, log_probability] : top) logs.push_back(log_probability);
  std::ranges::sort(logs, std::greater<>());
  return serving::top_entropy(std::span(logs).first(models::kTopTokens));
}

// Not every error page is JSON, for example a proxy's.
std::string error_message(std::string_view body) {
  try {
    std::string message = message_in(parse_json(valid_utf8(body), "the server's reply"));
    if (!message.empty()) return message;
  } catch (const Error&) {  // not JSON: shown as it is
  }
  return std::string(body);
}

ReplyReader::ReplyReader(const std::vector<std::string>& stop) : stop_(stop), cutter_(stop) {}

void ReplyReader::read(std::string_view data) {
  if (data == "[DONE]" || stopped()) return;
  Json event;
  try {
    event = parse_json(valid_utf8(data), "JSON");
  } catch (const Error& error) {
    throw BrokenReply(error.what());
  }
  if (!event.is_object()) throw BrokenReply("it is not a JSON object");
  const Json& choices = member(event, "choices");
  const Json& error = member(event, "error");
  // Some services send an empty "error" in every event.
  if (!text_of(error).empty() || (error.is_object() && !error.empty())) {
    throw BrokenReply("it says: " + error_message(data));
  }
  read_usage(member(event, "usage"));
  if (choices.is_array() && !choices.empty()) read_choice(choices.front());
}

void ReplyReader::read_choice(const Json& choice) {
  const Json& delta = member(choice, "delta");
  const Json& part = delta.is_object() ? delta : member(choice, "message");
  // A refusal is the reply that the model gave, so it is shown as such.
  read_text(message_text(member(part, "content")) + text_of(member(part, "refusal")));
  // Servers that separate thoughts from the reply use one of these names.
  for (const char* name : {"reasoning_content", "reasoning", "thinking"}) {
    if (!text_of(member(part, name)).empty()) ++thought_pieces_;
  }
  read_log_probabilities(choice);
  const std::string reason = text_of(member(choice, "finish_reason"));
  if (reason.empty()) return;
  if (reason == "content_filter") {
    throw Error(ErrorCode::input,
                "the service's content filter withholds the reply; rephrase the question or use "
                "another model");
  }
  if (reason == "error" || reason == "abort") {
    throw BrokenReply(format("it ends with \"{}\"", reason));
  }
  finished_ = true;
  reply_.finish = finish_of(choice, reason);
}

void ReplyReader::read_text(const std::string& content) {
  took_back_ = false;
  if (content.empty()) return;
  ++pieces_;
  content_bytes_ += content.size();
  const std::string piece = thoughts_.push(content);
  took_back_ = thoughts_.took_back();
  if (took_back_) {
    reply_.text.clear();
    cutter_ = serving::StopCutter(stop_);
  }
  reply_.text += cutter_.push(piece);
}

// Tokens without a number are skipped, so that one malformed entry does not discard the reply.
void ReplyReader::read_log_probabilities(const Json& choice) {
  const Json& tokens = member(member(choice, "logprobs"), "content");
  if (!tokens.is_array()) return;
  for (const Json& token : tokens) {
    if (!member(token, "logprob").is_number()) continue;
    const TopTokens top = top_of(token);
    reply_.tokens.push_back(
        {-1, log_probability_of(member(token, "logprob")), least_entropy(top), top_entropy(top)});
    token_sizes_.push_back(text_of(member(token, "token")).size());
    if (first_top_.empty() && !trim(text_of(member(token, "token"))).empty()) first_top_ = top;
  }
}

void ReplyReader::read_usage(const Json& usage) {
  if (!usage.is_object()) return;
  const Json& details = member(usage, "prompt_tokens_details");
  reply_.prompt_tokens = count_of(member(usage, "prompt_tokens"));
  reply_.output_tokens = count_of(member(usage, "completion_tokens"));
  reply_.cached_tokens = count_of(member(details, "cached_tokens"));
  reply_.image_tokens = count_of(member(details, "image_tokens"));
  reply_.thought_tokens =
      count_of(member(member(usage, "completion_tokens_details"), "reasoning_tokens"));
}

// Removes the scores of thoughts: all tokens before the text that follows the thoughts. Some
// servers list scores of thoughts that are not in the content, so they are counted from the end.
void ReplyReader::count_thoughts() {
  if (!thoughts_.thought() && thought_pieces_ == 0) return;
  const std::size_t most = thoughts_.thought() ? thoughts_.bytes_after() : content_bytes_;
  std::size_t first = token_sizes_.size();
  for (std::size_t bytes = 0; first > 0; --first) {
    bytes += token_sizes_[first - 1];
    if (bytes > most) break;
  }
  reply_.tokens.erase(reply_.tokens.begin(),
                      reply_.tokens.begin() + static_cast<std::ptrdiff_t>(first));
  const std::int64_t least = std::max<std::int64_t>(1, static_cast<std::int64_t>(first));
  reply_.thought_tokens = std::max({reply_.thought_tokens, least, thought_pieces_});
}

models::Reply ReplyReader::take() {
  reply_.text += cutter_.push(thoughts_.finish()) + cutter_.finish();
  if (stopped()) reply_.finish = models::Finish::stop_text;
  if (reply_.output_tokens == 0) {
    // Servers that send no usage still need a count, because budgets are charged by output tokens.
    reply_.output_tokens =
        std::max(pieces_ + thought_pieces_, static_cast<std::int64_t>(reply_.tokens.size()));
  }
  count_thoughts();
  return std::move(reply_);
}

}  // namespace fineprint::remote
