// Serves /v1/search, /v1/ask and /v1/pipelines.
#include <chrono>
#include <string>
#include <utility>

#include "fineprint/core/json.h"

#include "server/earlier_turns.h"
#include "server/fields.h"
#include "server/http/event_stream.h"
#include "server/records.h"
#include "server/refusal.h"
#include "server/routes/routes.h"
#include "server/sent_pictures.h"

namespace fineprint::server {
namespace {

// Bounds for one reply, so that no request makes the server write all of a store, or work for more
// than a day.
constexpr int kMostHits = 1000;
constexpr double kMostSeconds = 86400;

// fields.end() comes before the search, so that a misspelt field is refused without any work.
HttpReply search(const Served& served, const HttpRequest& request) {
  Fields fields(request.body, "the search");
  SearchRequest wanted{.query = fields.text("query")};
  wanted.docs = fields.texts("docs");
  if (const auto k = fields.whole("k", 1, kMostHits)) wanted.k = static_cast<int>(*k);
  wanted.scorers = fields.texts("scorer");
  wanted.pictures = sent_pictures(fields);
  fields.end();
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Hit> hits = served.service.search(wanted, request.stop);
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  return json_reply(
      dump_json({{"query", wanted.query}, {"hits", hits_json(hits)}, {"ms", ms.count()}}));
}

// Sends a question's steps as they happen.
class EventSender : public EventListener {
 public:
  // Asks for all kinds of events, because a client sees nothing else until the answer comes.
  explicit EventSender(const SendEvent& send) : send_(send) {}
  bool wants_fields() const override { return true; }
  bool wants_lines() const override { return true; }
  bool wants_progress() const override { return true; }
  void take(const Event& event) override { send_(name_of(event), dump_json(event_json(event))); }

 private:
  static std::string_view name_of(const Event& event) {
    switch (event.kind) {
      case Event::Kind::began:
        return "began";
      case Event::Kind::text:
        return "text";
      case Event::Kind::step:
        break;
    }
    return "step";
  }

  const SendEvent& send_;
};

// Errors become events, because the status line has been sent already.
HttpReply answer_in_steps(const Served& served, AskRequest wanted, const StopToken& stop) {
  return event_stream(
      stop, [&served, wanted = std::move(wanted)](const SendEvent& send, const StopToken& until) {
        EventSender sender(send);
        try {
          const ServedAnswer answer = served.service.ask(wanted, until, &sender);
          served.metrics.count_answer(answer);
          send("answer", dump_json(answer_json(answer)));
        } catch (const std::exception& error) {
          send("error", error_json(problem_of(error, "/v1/ask")));
        }
      });
}

// If the body asks for a stream, the steps are sent as they happen.
HttpReply ask(const Served& served, const HttpRequest& request) {
  Fields fields(request.body, "the question");
  AskRequest wanted{.question = fields.text("question")};
  wanted.docs = fields.texts("docs");
  wanted.pipeline = fields.text_or("pipeline", "");
  wanted.seconds = fields.number("max_seconds", 0, kMostSeconds);
  wanted.trace = fields.flag("trace", false);
  wanted.earlier = earlier_turns(fields);
  wanted.pictures = sent_pictures(fields);
  wanted.fresh = wants_fresh(request);
  const bool streams = fields.flag("stream", false);
  fields.end();
  if (streams) return answer_in_steps(served, std::move(wanted), request.stop);
  const ServedAnswer answer = served.service.ask(wanted, request.stop, nullptr);
  served.metrics.count_answer(answer);
  return json_reply(dump_json(answer_json(answer)));
}

HttpReply pipelines(const Served& served) {
  Json list = Json::array();
  for (const Way& way : served.service.ways()) {
    list.push_back({{"name", way.name},
                    {"summary", way.summary},
                    {"generator", way.generates},
                    {"usable", way.usable}});
  }
  return json_reply(
      dump_json({{"default", served.service.default_pipeline()}, {"pipelines", std::move(list)}}));
}

}  // namespace

HttpReply json_reply(std::string body) { return {.body = std::move(body)}; }

void add_question_routes(const Served& served, std::vector<HttpRoute>* routes) {
  routes->push_back({.method = "POST",
                     .path = "/v1/search",
                     .body = BodyKind::json_with_files,
                     .run = [&served](HttpRequest& request) { return search(served, request); }});
  routes->push_back({.method = "POST",
                     .path = "/v1/ask",
                     .body = BodyKind::json_with_files,
                     .run = [&served](HttpRequest& request) { return ask(served, request); }});
  routes->push_back({.method = "GET", .path = "/v1/pipelines", .run = [&served](HttpRequest&) {
                       return pipelines(served);
                     }});
}

}  // namespace fineprint::server
