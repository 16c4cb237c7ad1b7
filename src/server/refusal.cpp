// Maps errors to what a client sees.
#include "server/refusal.h"

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"

namespace fineprint::server {
namespace {

// 400 for what the client can change, 422 for documents that cannot be read, 5xx for the rest.
int status_of_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
    case ErrorCode::input:
      return 400;
    case ErrorCode::too_large:
      return 413;
    case ErrorCode::unsupported:
      return 415;
    case ErrorCode::encrypted:
    case ErrorCode::wrong_password:
    case ErrorCode::damaged:
    case ErrorCode::empty:
      return 422;
    case ErrorCode::timed_out:
      return 504;
    case ErrorCode::no_reply:
      return 502;
    case ErrorCode::interrupted:
      return 503;
    case ErrorCode::unreadable:  // the file of a document has disappeared
      return 410;
    case ErrorCode::out_of_memory:
    case ErrorCode::crashed:
    case ErrorCode::store:
    case ErrorCode::model:
    case ErrorCode::internal:
      return 500;
  }
  return 500;
}

// The types of OpenAI's errors, which clients map to exceptions.
std::string_view type_of(int status) {
  if (status == 401) return "authentication_error";
  if (status == 403) return "permission_error";
  if (status == 404) return "not_found_error";
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

}  // namespace

Refusal refused_field(const std::string& field, const std::string& why, int status) {
  Refusal refusal(status, format("field '{}' {}", field, why));
  refusal.field_ = field;
  return refusal;
}

Problem problem_of(const std::exception& error, std::string_view where) {
  const auto* known = dynamic_cast<const Error*>(&error);
  if (known == nullptr) {
    log::error("{}: {}", where, error.what());
    return {.code = "internal", .message = "internal error; see the log of the server"};
  }
  if (known->code() == ErrorCode::internal) log::error("{}: {}", where, known->what());
  Problem problem{.status = status_of_code(known->code()),
                  .code = std::string(code_name(known->code())),
                  .message = known->what()};
  if (const auto* refusal = dynamic_cast<const Refusal*>(known)) {
    problem.status = refusal->status();
    problem.field = refusal->field();
    problem.retry_after = refusal->retry_after();
  }
  return problem;
}

ErrorForm error_form(std::string_view path) {
  if (path.starts_with("/api/")) return ErrorForm::ollama;
  const bool is_messages = path == "/v1/messages" || path.starts_with("/v1/messages/");
  return is_messages ? ErrorForm::anthropic : ErrorForm::openai;
}

std::string_view anthropic_error_type(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 503:
      return "overloaded_error";
    case 504:
      return "timeout_error";
    default:
      return status < 500 ? "invalid_request_error" : "api_error";
  }
}

std::string error_json(const Problem& problem, ErrorForm form) {
  if (form == ErrorForm::ollama) return dump_json({{"error", problem.message}});
  if (form == ErrorForm::anthropic) {
    return dump_json(
        {{"type", "error"},
         {"error",
          {{"type", anthropic_error_type(problem.status)}, {"message", problem.message}}}});
  }
  const Json param = problem.field.empty() ? Json() : Json(problem.field);
  return dump_json({{"error",
                     {{"message", problem.message},
                      {"type", type_of(problem.status)},
                      {"code", problem.code},
                      {"param", param}}}});
}

}  // namespace fineprint::server
