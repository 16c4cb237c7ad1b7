// Serves /v1/chat/completions, /v1/models and /v1/embeddings for clients of OpenAI's protocol.
//
// The pipeline that `model` names answers the last question of a conversation, with what it takes
// from earlier ones written out. The reply contains its citations three times: in its text, as
// annotations with links to the marked pages, and as the complete record under "fineprint".
#include <algorithm>
#include <bit>
#include <ctime>
#include <optional>
#include <string>
#include <utility>

#include "fineprint/core/base64.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/unicode.h"

#include "server/earlier_turns.h"
#include "server/fields.h"
#include "server/http/event_stream.h"
#include "server/links.h"
#include "server/records.h"
#include "server/refusal.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostTexts = 2048;
constexpr std::size_t kMostModelBytes = 80;
constexpr std::size_t kMostCited = 5;  // citations in the text of a reply

std::string no_model(const std::string& name) {
  return format("there is no model \"{}\"; GET /v1/models lists them",
                shortened(name, kMostModelBytes));
}

// Takes the last question of a conversation, with the turns before it.
void take_messages(Fields& fields, AskRequest* wanted) {
  const Json* messages = fields.value("messages");
  if (messages == nullptr || !messages->is_array() || messages->empty()) {
    throw Refusal(400, "field 'messages' must be a list of at least one message");
  }
  for (const Json& message : *messages) {
    const bool has_role =
        message.is_object() && message.contains("role") && message["role"].is_string();
    if (!has_role) throw Refusal(400, "field 'messages': each message must have a 'role'");
  }
  for (std::size_t i = messages->size(); i-- > 0;) {
    if ((*messages)[i]["role"] != "user") continue;
    wanted->question = text_of_message((*messages)[i], &wanted->pictures);
    wanted->earlier = turns_of_messages(*messages, i);
    return;
  }
  throw Refusal(400, "field 'messages' contains no message with the role 'user'");
}

struct ChatRequest {
  AskRequest ask;
  std::string model;
  bool streams = false, tells_usage = false;
};

// Refuses options that would change the reply and are not supported. Sampling options are ignored,
// because they have no meaning here and clients send them by default.
ChatRequest chat_request(const HttpRequest& request, const Service& service) {
  Fields fields(request.body, "the request");
  ChatRequest wanted;
  wanted.model = fields.text("model");
  take_messages(fields, &wanted.ask);
  wanted.ask.docs = fields.texts("docs");
  wanted.ask.pipeline = wanted.model;
  wanted.streams = fields.flag("stream", false);
  if (fields.whole("n", 1, 1'000'000).value_or(1) != 1) {
    throw Refusal(400, "field 'n' must be 1: a question gets one reply");
  }
  const Json* form = fields.value("response_format");
  if (form != nullptr && !(form->is_object() && form->value("type", "") == "text")) {
    throw Refusal(400, "field 'response_format' must be text");
  }
  const Json* streaming = fields.value("stream_options");
  if (streaming != nullptr && streaming->is_object()) {
    wanted.tells_usage = Fields(*streaming).flag("include_usage", false);
  }
  const std::vector<Way>& ways = service.ways();
  const auto found = std::ranges::find(ways, wanted.model, &Way::name);
  if (found == ways.end()) throw Refusal(404, no_model(wanted.model));
  if (!found->usable) {
    throw Refusal(400, format("model \"{}\" needs a generator; start the server with --generator "
                              "MODEL",
                              wanted.model));
  }
  return wanted;
}

struct ChatText {
  // The answer, one line for each citation, and how the question was understood, if it was changed.
  std::vector<std::string> pieces;
  Json annotations = Json::array();
};

// An answer that abstains has no citations, because related pages do not support it.
// Annotations count code points, as Python's strings do.
ChatText cited_text(const Answer& answer, const std::string& host) {
  ChatText text{.pieces = {answer.answer}};
  if (!answer.answerable) return text;
  std::size_t at = count_code_points(answer.answer);
  for (std::size_t i = 0; i < std::min(answer.citations.size(), kMostCited); ++i) {
    const Citation& citation = answer.citations[i];
    const std::string lead = i == 0 ? "\n\n" : "\n";
    const std::string title = format("{}, page {}", citation.page.doc, citation.page.page);
    std::string line = format("[{}] {}", i + 1, title);
    if (!citation.quote.empty()) line += ": " + citation.quote;
    const std::size_t start = at + lead.size();
    at = start + count_code_points(line);
    text.annotations.push_back({{"type", "url_citation"},
                                {"url_citation",
                                 {{"start_index", start},
                                  {"end_index", at},
                                  {"title", title},
                                  {"url", "http://" + host + page_link(citation)}}}});
    text.pieces.push_back(lead + line);
  }
  return text;
}

ChatText chat_text(const ChatRequest& wanted, const Answer& answer, const std::string& host) {
  ChatText text = cited_text(answer, host);
  if (answer.question != wanted.ask.question && !wanted.ask.earlier.empty()) {
    text.pieces.push_back("\n\n" + understood_line(answer.question));
  }
  return text;
}

Json usage_json(const Usage& usage) {
  const std::int64_t read = usage.prompt_tokens;
  return {{"prompt_tokens", read},
          {"completion_tokens", usage.output_tokens},
          {"total_tokens", read + usage.output_tokens},
          {"prompt_tokens_details", {{"cached_tokens", usage.cached_tokens}}}};
}

// Returns the fields that all pieces of one reply share.
Json reply_frame(const ChatRequest& wanted, const char* object) {
  const std::int64_t now = std::time(nullptr);
  const std::string id = content_hash(format("{}\n{}", wanted.ask.question, now)).substr(0, 24);
  return {{"id", "chatcmpl-" + id}, {"object", object}, {"created", now}, {"model", wanted.model}};
}

// Whole replies and chunks differ only in the name of this member.
Json with_choice(Json frame, const char* name, Json said, const Json& finish) {
  frame["choices"] = Json::array(
      {{{"index", 0}, {name, std::move(said)}, {"finish_reason", finish}, {"logprobs", nullptr}}});
  return frame;
}

// The complete reply, for clients that do not ask for a stream.
HttpReply whole_chat(const Served& served, const ChatRequest& wanted, const HttpRequest& request) {
  const Answer answer = served.service.ask(wanted.ask, request.stop, nullptr);
  served.metrics.count_answer(answer);
  const ChatText text = chat_text(wanted, answer, first_value(request.headers, "host"));
  std::string content;
  for (const std::string& piece : text.pieces) content += piece;
  Json reply = with_choice(reply_frame(wanted, "chat.completion"), "message",
                           {{"role", "assistant"},
                            {"content", content},
                            {"refusal", nullptr},
                            {"annotations", text.annotations}},
                           "stop");
  reply["usage"] = usage_json(answer.usage);
  reply["fineprint"] = answer_json(answer);
  return json_reply(dump_json(reply));
}

// The answer arrives only at its end, but a stream keeps the connection alive during long
// questions.
HttpReply streamed_chat(const Served& served, const ChatRequest& wanted,
                        const HttpRequest& request) {
  return event_stream(request.stop, [&served, wanted, host = first_value(request.headers, "host")](
                                        const SendEvent& send, const StopToken& stop) {
    const Json frame = reply_frame(wanted, "chat.completion.chunk");
    const auto say = [&](Json delta, const Json& finish = nullptr) {
      send("", dump_json(with_choice(frame, "delta", std::move(delta), finish)));
    };
    try {
      say({{"role", "assistant"}, {"content", ""}});
      const Answer answer = served.service.ask(wanted.ask, stop, nullptr);
      served.metrics.count_answer(answer);
      ChatText text = chat_text(wanted, answer, host);
      for (const std::string& piece : text.pieces) say({{"content", piece}});
      Json last =
          with_choice(frame, "delta", {{"annotations", std::move(text.annotations)}}, "stop");
      last["fineprint"] = answer_json(answer);
      send("", dump_json(last));
      if (wanted.tells_usage) {
        Json usage = frame;
        usage["choices"] = Json::array();
        usage["usage"] = usage_json(answer.usage);
        send("", dump_json(usage));
      }
      send("", "[DONE]");
    } catch (const Error& error) {
      send("", error_json(status_of(error), code_name(error.code()), error.what()));
    } catch (const std::exception& error) {
      log::error("/v1/chat/completions: {}", error.what());
      send("", error_json(500, "internal", "internal error; see the log of the server"));
    }
  });
}

HttpReply chat(const Served& served, const HttpRequest& request) {
  const ChatRequest wanted = chat_request(request, served.service);
  return wanted.streams ? streamed_chat(served, wanted, request)
                        : whole_chat(served, wanted, request);
}

// Limits the texts of one request, as OpenAI's servers do.
std::vector<std::string> embedded_texts(Fields& fields) {
  std::vector<std::string> texts = fields.texts("input");
  if (texts.empty())
    throw Refusal(400, "field 'input' is missing; send a string or a list of strings");
  if (texts.size() > kMostTexts) {
    throw Refusal(400,
                  format("field 'input' has {} texts; the limit is {}", texts.size(), kMostTexts));
  }
  if (std::ranges::count(texts, "") > 0)
    throw Refusal(400, "field 'input' contains an empty string");
  return texts;
}

// Encodes the row as little-endian float32. Clients ask for this because it is faster to parse.
std::string packed(std::span<const float> row) {
  static_assert(std::endian::native == std::endian::little);
  std::string text;
  append_base64({reinterpret_cast<const std::uint8_t*>(row.data()), row.size_bytes()}, &text);
  return text;
}

models::TextRole role_of(const std::string& name) {
  if (name == "query") return models::TextRole::query;
  if (name == "passage" || name == "document") return models::TextRole::passage;
  throw Refusal(400, "field 'input_type' must be 'query' or 'passage'");
}

// Queries and passages may need different prefixes, so `input_type`, an extension, selects the
// role; clients that send none embed passages.
HttpReply embeddings(const Served& served, const HttpRequest& request) {
  Fields fields(request.body, "the request");
  const std::string model = fields.text("model");
  const std::vector<std::string> texts = embedded_texts(fields);
  const std::string coding = fields.text_or("encoding_format", "float");
  if (coding != "float" && coding != "base64") {
    throw Refusal(400, "field 'encoding_format' must be 'float' or 'base64'");
  }
  if (fields.value("dimensions") != nullptr) {
    throw Refusal(400,
                  "field 'dimensions' is not supported: this model's vectors have a fixed length");
  }
  const models::TextRole role = role_of(fields.text_or("input_type", "passage"));
  if (model != served.service.text_model()) throw Refusal(404, no_model(model));
  const Matrix rows = served.service.embed(texts, role, request.stop);
  Json data = Json::array();
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::span<const float> row = rows.row(i);
    Json vector =
        coding == "base64" ? Json(packed(row)) : Json(std::vector<float>(row.begin(), row.end()));
    data.push_back({{"object", "embedding"}, {"index", i}, {"embedding", std::move(vector)}});
  }
  // Tokens are not counted.
  return json_reply(dump_json({{"object", "list"},
                               {"model", model},
                               {"data", std::move(data)},
                               {"usage", {{"prompt_tokens", 0}, {"total_tokens", 0}}}}));
}

// The start of the server replaces the creation time, which is unknown.
Json model_json(const std::string& name) {
  static const std::int64_t kStart = std::time(nullptr);
  return {{"id", name}, {"object", "model"}, {"created", kStart}, {"owned_by", "fineprint"}};
}

HttpReply models_list(const Served& served) {
  Json data = Json::array();
  for (const Way& way : served.service.ways()) {
    if (way.usable) data.push_back(model_json(way.name));
  }
  data.push_back(model_json(served.service.text_model()));
  return json_reply(dump_json({{"object", "list"}, {"data", std::move(data)}}));
}

}  // namespace

// Model names are part of the path, and routes match whole paths, so each model gets its own route.
void add_openai_routes(const Served& served, std::vector<HttpRoute>* routes) {
  routes->push_back({.method = "POST",
                     .path = "/v1/chat/completions",
                     .body = BodyKind::json,
                     .run = [&served](HttpRequest& request) { return chat(served, request); }});
  routes->push_back(
      {.method = "POST",
       .path = "/v1/embeddings",
       .body = BodyKind::json,
       .run = [&served](HttpRequest& request) { return embeddings(served, request); }});
  routes->push_back({.method = "GET", .path = "/v1/models", .run = [&served](HttpRequest&) {
                       return models_list(served);
                     }});
  std::vector<std::string> names = {served.service.text_model()};
  for (const Way& way : served.service.ways()) {
    if (way.usable) names.push_back(way.name);
  }
  for (const std::string& name : names) {
    routes->push_back({.method = "GET", .path = "/v1/models/" + name, .run = [name](HttpRequest&) {
                         return json_reply(dump_json(model_json(name)));
                       }});
  }
}

}  // namespace fineprint::server
