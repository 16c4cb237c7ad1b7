// Keeps the steps of a question as the JSON text that will be printed.
#include "fineprint/core/trace.h"

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"

namespace fineprint {
namespace {

// Returns the text between the braces of a JSON object. The fields are not parsed, because a trace
// may hold prompts and replies of many kilobytes.
std::string_view inside_of_object(std::string_view json) {
  const std::string_view object = trim(json);
  if (object.empty()) return {};
  if (object.size() < 2 || object.front() != '{' || object.back() != '}') {
    throw Error(ErrorCode::internal, "the fields of a trace step are not a JSON object");
  }
  const std::string_view inside = object.substr(1, object.size() - 2);
  return trim(inside).empty() ? std::string_view{} : inside;
}

}  // namespace

void Trace::take(const Event& event) {
  if (!event.step.empty() && event.kind == Event::Kind::step) {
    add(event.step, event.ms, event.fields);
  }
}

void Trace::add(std::string_view step, double ms, std::string_view fields_json) {
  if (!enabled_) return;
  std::string entry = dump_json(Json{{"step", step}, {"ms", ms}});
  if (const std::string_view fields = inside_of_object(fields_json); !fields.empty()) {
    // Replaces the closing brace of the entry by a comma and adds the fields.
    entry.back() = ',';
    entry.append(fields).push_back('}');
  }
  const std::lock_guard lock(mutex_);
  entries_.push_back(std::move(entry));
}

std::string Trace::to_json() const {
  const std::lock_guard lock(mutex_);
  std::string json = "[";
  for (const std::string& entry : entries_) {
    if (json.size() > 1) json += ',';
    json += entry;
  }
  return json + "]";
}

}  // namespace fineprint
