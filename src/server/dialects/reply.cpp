// Asks, and makes the text that all dialects send.
#include "server/dialects/reply.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "server/earlier_turns.h"
#include "server/links.h"
#include "server/records.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostCited = 5;  // citations in the text of a reply

void add_citations(const std::string& host, bool is_stored, Reply* reply) {
  const std::vector<Citation>& citations = reply->answer.citations;
  std::size_t at = count_code_points(reply->answer.answer);
  for (std::size_t i = 0; i < std::min(citations.size(), kMostCited); ++i) {
    const Citation& citation = citations[i];
    const std::string lead = i == 0 ? "\n\n" : "\n";
    const std::string title = format("{}, page {}", citation.page.doc, citation.page.page);
    std::string line = format("[{}] {}", i + 1, title);
    if (!citation.quote.empty()) line += ": " + citation.quote;
    const std::size_t start = at + lead.size();
    at = start + count_code_points(line);
    reply->cited.push_back(
        {.citation = citation,
         .start = start,
         .end = at,
         .title = title,
         .url = is_stored ? "http://" + host + page_link(citation) : std::string()});
    reply->pieces.push_back(lead + line);
  }
}

Reply asked_reply(const Served& served, const AskRequest& ask, const StopToken& stop,
                  const std::string& host) {
  ServedAnswer answer = served.service.ask(ask, stop, nullptr);
  served.metrics.count_answer(answer);
  return reply_of(ask, std::move(answer), host);
}

}  // namespace

std::string Reply::text() const {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

std::string Reply::lines() const { return text().substr(answer.answer.size()); }

Reply reply_of(const AskRequest& ask, ServedAnswer answer, const std::string& host) {
  Reply reply{.answer = std::move(answer), .pieces = {}, .cited = {}};
  reply.pieces.push_back(reply.answer.answer);
  if (reply.answer.answerable) add_citations(host, ask.files.empty(), &reply);
  if (reply.answer.question != ask.question && !ask.earlier.empty()) {
    reply.pieces.push_back("\n\n" + understood_line(reply.answer.question));
  }
  return reply;
}

HttpReply reply_by(std::shared_ptr<ReplyWriter> writer, const Served& served, const Asked& asked,
                   const HttpRequest& request) {
  require_model(served.service, asked.model);
  if (served.options.max_upload == 0 && !asked.ask.files.empty()) {
    throw Refusal(403, "this server accepts no documents (it was started with --max-upload 0)");
  }
  const std::string host = first_value(request.headers, "host");
  AskRequest wanted = asked.ask;
  wanted.fresh = wants_fresh(request);
  if (!asked.streams) {
    Json whole = writer->whole(asked_reply(served, wanted, request.stop, host));
    return json_reply(dump_json(whole));
  }
  const StreamForm form = writer->stream_form();
  return event_stream(
      request.stop,
      [&served, writer = std::move(writer), ask = std::move(wanted), path = request.path, host](
          const SendEvent& send, const StopToken& stop) {
        try {
          writer->begin(send);
          writer->end(asked_reply(served, ask, stop, host), send);
        } catch (const std::exception& error) {
          writer->fail(problem_of(error, path), send);
        }
      },
      form);
}

}  // namespace fineprint::server
