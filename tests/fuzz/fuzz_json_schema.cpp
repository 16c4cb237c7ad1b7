// Holds any text against a schema of any text: a schema outside the subset is Error(usage), and
// what fits a schema must be JSON for everyone.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/grammar/json_schema.h"

using namespace fineprint;

namespace {

void check(const grammar::JsonSchema& schema, std::string_view json) {
  const auto problem = schema.problem(json);
  if (problem) {
    if (problem->empty()) std::abort();
    return;
  }
  try {
    fineprint::parse_json(json, "what fits", {.unique_keys = true});
  } catch (const fineprint::Error&) {
    std::abort();
  }
}

}  // namespace

// The schema, a zero byte, the reply.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find('\0');
  if (cut == std::string_view::npos) return 0;
  const std::string_view reply = text.substr(cut + 1);
  const auto found = grammar::json_in_reply(reply);
  if (found && (found->size() > reply.size() || found->front() != '{')) std::abort();
  try {
    const auto schema = grammar::JsonSchema::parse(text.substr(0, cut));
    check(schema, reply);
    if (found) check(schema, *found);
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::usage) std::abort();
  }
  return 0;
}
