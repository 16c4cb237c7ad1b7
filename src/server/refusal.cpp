// Maps errors to what a client sees.
#include "server/refusal.h"

#include "fineprint/core/json.h"

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

int status_of(const Error& error) {
  const auto* refusal = dynamic_cast<const Refusal*>(&error);
  return refusal != nullptr ? refusal->status() : status_of_code(error.code());
}

std::string error_json(int status, std::string_view code, std::string_view message) {
  const Json error = {
      {"message", message}, {"type", type_of(status)}, {"code", code}, {"param", nullptr}};
  return dump_json({{"error", error}});
}

}  // namespace fineprint::server
