// Sends JSON to a server until it has replied.
#include "remote/served/json_calls.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/core/unicode.h"

#include "remote/openai/pause.h"

namespace fineprint::remote {

JsonCalls::JsonCalls(const ServerAddress& address, const OpenAiOptions& options, Waiting waiting)
    : server_(address, options), retries_(options.retries), waiting_(std::move(waiting)) {}

JsonCalls::Outcome JsonCalls::post(const std::string& path, const std::string& body) const {
  for (int failures = 0;;) {
    std::string reply;
    Attempt attempt = server_.attempt_json(path, body, &reply);
    if (attempt.reached) met_ = true;
    if (attempt.kind == Attempt::Kind::replied) {
      try {
        return {parse_json(valid_utf8(reply), "JSON"), {}};
      } catch (const Error& error) {
        // Python's json writes this word for a value that is not a number. It would come again.
        if (reply.find("NaN") != std::string::npos) {
          throw Error(ErrorCode::model,
                      format("{} replied with values that are not numbers (NaN) as {}; check the "
                             "model and its number format on the server",
                             host(), address().model));
        }
        attempt = {.kind = Attempt::Kind::passing,
                   .code = ErrorCode::no_reply,
                   .problem = format("sent a broken reply: {}", told(error.what()))};
      }
    }
    throw_if_interrupted();
    if (attempt.kind == Attempt::Kind::unsuitable) return {Json(), attempt.problem};
    const bool go_on =
        pause_before_next(host(), attempt, ++failures, {.most = retries_, .met = met_}, waiting_,
                          [] { return interrupted(); });
    if (!go_on) throw_if_interrupted();
  }
}

}  // namespace fineprint::remote
