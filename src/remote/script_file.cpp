// Reads the lines of scripted replies.
#include "remote/script_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"

namespace fineprint::remote {
namespace {

// One line under examination. refuse() names the line in its error.
class LineReader {
 public:
  LineReader(const std::string& where, const Json& object) : where_(where), object_(object) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::input, format("{}: {}", where_, why));
  }

  void check_keys(const Json& object, std::initializer_list<std::string_view> known) const {
    if (!object.is_object()) refuse("expected an object");
    for (const auto& [key, value] : object.items()) {
      // An unknown key is refused, because a misspelt "match" would make a line fit every request.
      if (std::ranges::find(known, key) == known.end()) refuse(format("unknown key \"{}\"", key));
    }
  }

  std::string text(const Json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string())
      refuse(format("\"{}\" must be a string", key));
    return found->get<std::string>();
  }

  // Returns a number or a list of numbers as a list, and an empty list if the key is missing.
  std::vector<double> numbers(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) return {};
    std::vector<double> all;
    for (const Json& value : found->is_array() ? *found : Json::array({*found})) {
      if (!value.is_number() || !std::isfinite(value.get<double>())) {
        refuse(format("\"{}\" must be a number or a list of numbers", key));
      }
      all.push_back(value.get<double>());
    }
    return all;
  }

  // Returns milliseconds, at most a day's, and 0 if the key is missing.
  double time(const char* key) const {
    // A longer wait than a day is a mistake in the unit.
    constexpr double kLongest = 86'400'000;
    const auto found = object_.find(key);
    if (found == object_.end()) return 0;
    const double ms = found->is_number() ? found->get<double>() : -1;
    if (!(ms >= 0 && ms <= kLongest)) refuse(format("\"{}\" must be 0 to {:.0f}", key, kLongest));
    return ms;
  }

  void read_match(ScriptLine* line) const {
    const auto match = object_.find("match");
    if (match == object_.end()) return;
    check_keys(*match, {"question", "pages"});
    if (match->contains("question")) line->question = text(*match, "question");
    if (!match->contains("pages")) return;
    const Json& pages = match->at("pages");
    const auto is_text = [](const Json& page) { return page.is_string(); };
    if (!pages.is_array() || !std::ranges::all_of(pages, is_text)) {
      refuse("\"pages\" must be a list of strings such as \"report.pdf:3\"");
    }
    line->pages = pages.get<std::vector<std::string>>();
  }

  void read_reply(ScriptLine* line) const {
    const auto reply = object_.find("reply");
    if (reply == object_.end()) refuse("\"reply\" is missing");
    if (reply->is_string()) {
      line->reply = reply->get<std::string>();
    } else if (!reply->is_object()) {
      refuse("\"reply\" must be a string or an object");
    } else if (is_error(*reply)) {
      check_keys(*reply, {"error", "code"});
      line->reply = text(*reply, "error");
      line->error = reply->contains("code") ? code(text(*reply, "code")) : ErrorCode::model;
    } else {
      line->reply = dump_json(*reply);
    }
  }

 private:
  // code_from_name() returns a default for unknown names, so the name is compared again.
  ErrorCode code(const std::string& name) const {
    const ErrorCode known = code_from_name(name);
    if (code_name(known) != name)
      refuse(format("\"code\" is \"{}\", which is not an error code", name));
    return known;
  }

  // Returns whether the object is {"error": str}, alone or with a code. An object with more keys is
  // a reply like any other.
  static bool is_error(const Json& reply) {
    return reply.contains("error") && reply.at("error").is_string() &&
           reply.size() == 1 + reply.count("code");
  }

  std::string where_;
  const Json& object_;
};

ScriptLine read_line(std::string_view text, const std::string& where, int number) {
  const Json object = parse_json(text, where);
  const LineReader reader(where, object);
  reader.check_keys(object,
                    {"agent", "match", "reply", "entropy", "logprobs", "top_entropy", "ms"});
  ScriptLine line;
  line.number = number;
  line.agent = reader.text(object, "agent");
  reader.read_match(&line);
  reader.read_reply(&line);
  line.entropies = reader.numbers("entropy");
  line.log_probabilities = reader.numbers("logprobs");
  line.top_entropies = reader.numbers("top_entropy");
  line.ms = reader.time("ms");
  // A logarithm of a probability is never above 0; a positive value is a probability by mistake.
  const auto above = [](double p) { return p > 0; };
  const auto below = [](double h) { return h < 0; };
  if (std::ranges::any_of(line.log_probabilities, above)) {
    reader.refuse("\"logprobs\" must be 0 or less");
  }
  if (std::ranges::any_of(line.entropies, below)) reader.refuse("\"entropy\" must be 0 or more");
  if (std::ranges::any_of(line.top_entropies, below)) {
    reader.refuse("\"top_entropy\" must be 0 or more");
  }
  for (const auto* list : {&line.entropies, &line.log_probabilities, &line.top_entropies}) {
    // One number applies to all tokens of the reply; lists must agree about how many tokens there
    // are.
    if (list->size() > 1 && list->size() != line.token_count()) {
      reader.refuse("\"entropy\", \"logprobs\" and \"top_entropy\" differ in length");
    }
  }
  return line;
}

}  // namespace

bool ScriptLine::fits(const models::Request& request) const {
  return agent == request.agent && (!question || *question == request.question) &&
         (!pages || *pages == request.pages);
}

std::size_t ScriptLine::token_count() const {
  return std::max({entropies.size(), log_probabilities.size(), top_entropies.size()});
}

std::vector<ScriptLine> read_script(const std::string& path) {
  const std::string bytes = read_file(path);
  std::vector<ScriptLine> lines;
  std::string_view rest = bytes;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    if (!trim(text).empty()) {
      lines.push_back(read_line(text, format("{}:{}", path, number), number));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

}  // namespace fineprint::remote
