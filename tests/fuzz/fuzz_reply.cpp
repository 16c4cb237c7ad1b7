// Feeds any text as the reply of each agent of the pipelines: it must be no use and the reason
// told, or be JSON that fits the agent's schema and names nothing that was not shown.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"

#include "agents/reply_check.h"

namespace {

using namespace fineprint::agents;

constexpr std::size_t kShown = 3;
// The properties by which agents name what they were shown.
constexpr std::array<const char*, 8> kFields = {"page",  "pages",  "chunks",    "source",
                                                "facts", "choice", "reference", "sections"};

const std::vector<Agent>& all_agents() {
  static const std::vector<Agent> agents = [] {
    std::vector<Agent> made;
    for (const fineprint::pipelines::Pipeline& pipeline : fineprint::pipelines::all()) {
      for (const auto& name : pipeline.agents) made.push_back(load_agent(name));
    }
    return made;
  }();
  return agents;
}

// Aborts if a property of that name, at any depth, names what was not shown.
void check_names(const std::string& field, const fineprint::Json& value) {
  if (!value.is_structured()) return;
  for (const auto& [key, item] : value.items()) {
    check_names(field, item);
    if (!value.is_object() || key != field) continue;
    for (const auto& index : item.is_array() ? item : fineprint::Json::array({item})) {
      if (index.is_number() && index.get<double>() >= static_cast<double>(kShown)) std::abort();
    }
  }
}

void check(const Agent& agent, const char* field, const std::string& reply) {
  Turn turn;
  turn.indices = IndexBound{field, kShown};
  const CheckedReply checked = check_reply(agent, turn, reply);
  if (checked.problem) {
    if (checked.problem->empty() || checked.text != reply) std::abort();
    return;
  }
  if (!agent.schema) return;
  const fineprint::Json json = fineprint::parse_json(checked.text, "a good reply");
  if (!json.is_object()) std::abort();
  check_names(field, json);
}

}  // namespace

// The first byte chooses the agent, the second what names the shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Agent& agent = all_agents()[data[0] % all_agents().size()];
  const char* field = kFields[data[1] % kFields.size()];
  check(agent, field, {reinterpret_cast<const char*>(data) + 2, size - 2});
  return 0;
}
