// Feeds any text as the reply of each agent of the pipelines: it must be no use and the reason
// told, or be JSON that fits the agent's schema and names nothing that was not shown.
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

void check(const Agent& agent, const std::string& reply) {
  Turn turn;
  turn.indices = IndexBound{"page", kShown};
  const CheckedReply checked = check_reply(agent, turn, reply);
  if (checked.problem) {
    if (checked.problem->empty() || checked.text != reply) std::abort();
    return;
  }
  if (!agent.schema) return;
  const fineprint::Json json = fineprint::parse_json(checked.text, "a good reply");
  if (!json.is_object()) std::abort();
  for (const auto& detail : json.value("details", fineprint::Json::array())) {
    if (detail.at("page").get<double>() >= static_cast<double>(kShown)) std::abort();
  }
}

}  // namespace

// The first byte chooses the agent.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Agent& agent = all_agents()[data[0] % all_agents().size()];
  check(agent, {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
