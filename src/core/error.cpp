// The stable names of error codes, and the exit codes they lead to.
#include "fineprint/core/error.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fineprint {
namespace {

// Names are written to answers and stores: never rename one.
constexpr std::array<std::pair<ErrorCode, std::string_view>, 17> kNames{{
    {ErrorCode::usage, "usage"},
    {ErrorCode::input, "input"},
    {ErrorCode::encrypted, "encrypted"},
    {ErrorCode::wrong_password, "wrong_password"},
    {ErrorCode::damaged, "damaged"},
    {ErrorCode::empty, "empty"},
    {ErrorCode::too_large, "too_large"},
    {ErrorCode::timed_out, "timed_out"},
    {ErrorCode::out_of_memory, "out_of_memory"},
    {ErrorCode::unsupported, "unsupported"},
    {ErrorCode::unreadable, "unreadable"},
    {ErrorCode::crashed, "crashed"},
    {ErrorCode::store, "store"},
    {ErrorCode::model, "model"},
    {ErrorCode::no_reply, "no_reply"},
    {ErrorCode::internal, "internal"},
    {ErrorCode::interrupted, "interrupted"},
}};

}  // namespace

std::string_view code_name(ErrorCode code) {
  const auto* found = std::ranges::find(kNames, code, [](const auto& pair) { return pair.first; });
  return found == kNames.end() ? "internal" : found->second;
}

ErrorCode code_from_name(std::string_view name) {
  const auto* found = std::ranges::find(kNames, name, [](const auto& pair) { return pair.second; });
  return found == kNames.end() ? ErrorCode::internal : found->first;
}

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return 2;
    case ErrorCode::model:
    case ErrorCode::no_reply:
      return 4;
    case ErrorCode::internal:
      return 5;
    case ErrorCode::interrupted:
      return 130;
    // All other codes concern the input: documents, files or the store.
    default:
      return 3;
  }
}

}  // namespace fineprint
