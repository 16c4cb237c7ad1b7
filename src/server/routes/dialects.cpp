// Serves questions in the dialects of other servers' clients: OpenAI's chat completions and
// responses, Anthropic's messages, Ollama's chat and generate.
//
// The pipeline that `model` names answers the last question of a conversation, with what it takes
// from earlier ones written out. Every reply contains its citations three times: in its text, in
// the dialect's own form, and in the complete record under "fineprint".
#include <algorithm>
#include <string>

#include "server/dialects/chat_completions.h"
#include "server/dialects/messages.h"
#include "server/dialects/ollama.h"
#include "server/dialects/reply.h"
#include "server/dialects/responses.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

HttpReply chat_completion(const Served& served, const HttpRequest& request) {
  const ChatRequest wanted = read_chat_request(request.body);
  return reply_by(chat_writer(wanted), served, wanted.asked, request);
}

// The kept conversations live as long as the route.
HttpReply response(const Served& served, const HttpRequest& request, KeptResponses& kept) {
  const ResponsesRequest wanted = read_responses_request(request.body, kept);
  return reply_by(responses_writer(wanted, kept), served, wanted.asked, request);
}

HttpReply kept_response(const HttpRequest& request, const KeptResponses& kept) {
  return json_reply(kept.response(request.id));
}

HttpReply deleted_response(const HttpRequest& request, KeptResponses& kept) {
  kept.remove(request.id);
  return json_reply(dump_json({{"id", request.id}, {"object", "response"}, {"deleted", true}}));
}

HttpReply message(const Served& served, const HttpRequest& request) {
  const Asked wanted = read_messages_request(request.body);
  return reply_by(messages_writer(wanted), served, wanted, request);
}

// Which pages a generator reads is decided while a question is answered, so its tokens cannot be
// counted before. Presets without a generator use none.
HttpReply counted_tokens(const Served& served, const HttpRequest& request) {
  const Asked wanted = read_messages_request(request.body, true);
  require_model(served.service, wanted.model);
  const auto& ways = served.service.ways();
  const auto way = std::ranges::find(ways, wanted.model, &Way::name);
  if (way->generates) {
    throw refused_field("model",
                        "reads pages that are found while it answers, so its tokens are "
                        "known only afterwards; see usage of POST /v1/messages");
  }
  return json_reply(dump_json({{"input_tokens", 0}}));
}

HttpReply ollama(const Served& served, const HttpRequest& request, const OllamaRequest& wanted) {
  if (!wanted.loads) return reply_by(ollama_writer(wanted), served, wanted.asked, request);
  require_model(served.service, wanted.asked.model);
  HttpReply reply = json_reply(dump_json(ollama_loaded(wanted)));
  if (wanted.asked.streams) {
    reply.type = "application/x-ndjson";
    reply.body += '\n';
  }
  return reply;
}

}  // namespace

void add_dialect_routes(const Served& served, std::vector<HttpRoute>* routes) {
  const auto add = [&](const char* path, std::function<HttpReply(HttpRequest&)> run) {
    routes->push_back(
        {.method = "POST", .path = path, .body = BodyKind::json_with_files, .run = std::move(run)});
  };
  add("/v1/chat/completions",
      [&served](HttpRequest& request) { return chat_completion(served, request); });
  const auto kept = std::make_shared<KeptResponses>();
  add("/v1/responses",
      [&served, kept](HttpRequest& request) { return response(served, request, *kept); });
  routes->push_back(
      {.method = "GET", .path = "/v1/responses/{id}", .run = [kept](HttpRequest& request) {
         return kept_response(request, *kept);
       }});
  routes->push_back(
      {.method = "DELETE", .path = "/v1/responses/{id}", .run = [kept](HttpRequest& request) {
         return deleted_response(request, *kept);
       }});
  add("/v1/messages", [&served](HttpRequest& request) { return message(served, request); });
  add("/v1/messages/count_tokens",
      [&served](HttpRequest& request) { return counted_tokens(served, request); });
  add("/api/chat", [&served](HttpRequest& request) {
    return ollama(served, request, read_ollama_chat(request.body));
  });
  add("/api/generate", [&served](HttpRequest& request) {
    return ollama(served, request, read_ollama_generate(request.body));
  });
}

}  // namespace fineprint::server
