// Builds an agent from its prompt's file: the texts, and the settings in the head.
#include <algorithm>
#include <charconv>
#include <optional>

#include "fineprint/agents/agent.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"

#include "agents/prompt_file.h"

namespace fineprint::agents {
namespace {

// The settings in a file's head; absent if the file leaves them out.
struct Head {
  std::optional<session::Tier> tier = {};
  std::optional<int> max_new_tokens = {}, retries = {};
  std::optional<bool> labels = {}, system = {};
  std::optional<std::vector<std::string>> gaps = {};
  std::optional<grammar::JsonSchema> schema = {};
};

// A line "key = value" of the part [agent].
struct HeadLine {
  const PromptFile& file;
  int number = 0;
  std::string key, value;
};

session::Tier tier_of(const HeadLine& line) {
  using enum session::Tier;
  for (const session::Tier tier : {thumb, low, page, fine}) {
    if (line.value == session::tier_name(tier)) return tier;
  }
  refuse(line.file, line.number,
         format("unknown tier \"{}\"; choose one of: thumb, low, page, fine", line.value));
}

int count_of(const HeadLine& line, int least) {
  int count = 0;
  const char* end = line.value.data() + line.value.size();
  const auto [stop, error] = std::from_chars(line.value.data(), end, count);
  if (error != std::errc() || stop != end || count < least) {
    refuse(
        line.file, line.number,
        format("{} = \"{}\": expected a whole number of {} or more", line.key, line.value, least));
  }
  return count;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!(text = text.substr(std::min(text.find_first_not_of(' '), text.size()))).empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

// A part of every request that a model may not know from its training.
bool is_sent(const HeadLine& line) {
  if (line.value == "none" || line.value == "own") return line.value == "own";
  refuse(line.file, line.number, format("{} = \"{}\": expected own or none", line.key, line.value));
}

void take(const HeadLine& line, Head* head) {
  if (line.key == "tier") {
    head->tier = tier_of(line);
  } else if (line.key == "max-new-tokens") {
    head->max_new_tokens = count_of(line, 1);
  } else if (line.key == "retries") {
    head->retries = count_of(line, 0);
  } else if (line.key == "gaps") {
    head->gaps = words_of(line.value);
  } else if (line.key == "labels") {
    head->labels = is_sent(line);
  } else if (line.key == "system") {
    head->system = is_sent(line);
  } else {
    refuse(line.file, line.number,
           format("unknown key \"{}\"; choose one of: tier, max-new-tokens, retries, gaps, labels, "
                  "system",
                  line.key));
  }
}

void take_lines(const PromptFile& file, const PromptPart& part, Head* head) {
  int number = part.line;
  for (std::size_t at = 0; at < part.text.size(); ++number) {
    const std::size_t end = std::min(part.text.find('\n', at), part.text.size());
    const std::string line(trim(std::string_view(part.text).substr(at, end - at)));
    at = end + 1;
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) refuse(file, number, "expected a line \"key = value\"");
    take({.file = file,
          .number = number,
          .key = std::string(trim(std::string_view(line).substr(0, equals))),
          .value = std::string(trim(std::string_view(line).substr(equals + 1)))},
         head);
  }
}

grammar::JsonSchema schema_of(const PromptFile& file, const PromptPart& part) {
  try {
    return grammar::JsonSchema::parse(part.text);
  } catch (const Error& error) {
    refuse(file, part.line, format("[schema]: {}", std::string_view(error.what())));
  }
}

Head head_of(const PromptFile& file) {
  Head head;
  if (const PromptPart* agent = file.part("agent")) take_lines(file, *agent, &head);
  if (const PromptPart* schema = file.part("schema")) head.schema = schema_of(file, *schema);
  if (!head.system.value_or(true) && file.part("system") != nullptr) {
    refuse(file, "system = none, but there is a part [system]; remove one of the two");
  }
  return head;
}

std::string shape_of(const Json& schema) { return dump_json(schema.value("type", Json())); }

bool is_among(const Json& schema, const Json& values) {
  return std::ranges::all_of(schema.value("enum", Json::array()), [&](const Json& value) {
    return std::ranges::find(values, value) != values.end();
  });
}

// Returns the path of a property that replies under `built_in` always have, but that replies under
// `other` may lack or have with another type: "/facts/text". Returns an empty string if there is
// none.
std::string missing_property(const Json& built_in, const Json& other, const std::string& where) {
  if (shape_of(built_in) != shape_of(other)) return where.empty() ? "/" : where;
  for (const Json& name : built_in.value("required", Json::array())) {
    const std::string place = where + "/" + name.get<std::string>();
    const Json required = other.value("required", Json::array());
    if (std::ranges::find(required, name) == required.end()) return place;
    const std::string below =
        missing_property(built_in.at("properties").at(name.get<std::string>()),
                         other.at("properties").at(name.get<std::string>()), place);
    if (!below.empty()) return below;
  }
  if (built_in.contains("enum")) return is_among(other, built_in.at("enum")) ? "" : where;
  if (!built_in.contains("items")) return {};
  return missing_property(built_in.at("items"), other.value("items", Json::object()), where);
}

// Checks a user's prompt. It may require more than the built-in prompt and fill fewer gaps, because
// the code that parses the reply and fills the gaps stays the same.
void check_against(const Head& built_in, const Head& own, const PromptFile& file) {
  for (const std::string& gap : own.gaps.value_or(std::vector<std::string>{})) {
    const auto known = built_in.gaps.value_or(std::vector<std::string>{});
    if (std::ranges::find(known, gap) != known.end()) continue;
    refuse(file, file.part("agent")->line,
           format("gaps: this agent has no value for {{{}}}; remove the gap", gap));
  }
  if (!own.schema) return;
  const int line = file.part("schema")->line;
  if (!built_in.schema)
    refuse(file, line, "[schema]: this agent replies in free text; remove the schema");
  const std::string place =
      missing_property(parse_json(built_in.schema->text(), "a built-in schema"),
                       parse_json(own.schema->text(), "a schema"), "");
  if (!place.empty()) {
    refuse(file, line,
           format("[schema]: {} must be required and have the type of the built-in schema", place));
  }
}

}  // namespace

Agent load_agent(std::string_view name, const std::string& prompt_folder) {
  const std::string path = prompt_path(name);
  Head built_in, own;
  const std::optional<PromptFile> built_in_file = built_in_prompt_file(path);
  if (built_in_file) built_in = head_of(taken_apart(*built_in_file));
  if (const std::optional<PromptFile> own_file = own_prompt_file(path, prompt_folder)) {
    const PromptFile file = taken_apart(*own_file);
    own = head_of(file);
    if (built_in_file) check_against(built_in, own, file);
  }
  Agent agent;
  agent.name = name;
  // The code fills the gaps of the built-in file. The list of an own
  // file does not change them.
  const auto gaps = (built_in_file ? built_in : own).gaps;
  agent.prompt = load_prompt(name, gaps.value_or(std::vector<std::string>{}), prompt_folder);
  if (!own.system.value_or(built_in.system.value_or(true))) agent.prompt.system.clear();
  agent.labels = own.labels.value_or(built_in.labels.value_or(true));
  agent.schema = own.schema ? own.schema : built_in.schema;
  agent.tier = own.tier.value_or(built_in.tier.value_or(agent.tier));
  agent.max_new_tokens =
      own.max_new_tokens.value_or(built_in.max_new_tokens.value_or(agent.max_new_tokens));
  agent.retries = own.retries.value_or(built_in.retries.value_or(agent.retries));
  return agent;
}

}  // namespace fineprint::agents
