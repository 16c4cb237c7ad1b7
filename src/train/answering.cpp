// Asks the trained model what the answering agent asks it.
#include "fineprint/train/answering.h"

#include <memory>
#include <utility>
#include <vector>

#include "fineprint/agents/agent.h"

namespace fineprint::train {

// Free text and not JSON, because the examples have answers and no evidence to name.
void set_answering(
    const std::string& prompts,
    const std::function<SharedImage(const ExamplePage& page, session::Tier tier)>& picture,
    AnswerJob* job) {
  const auto agent =
      std::make_shared<const agents::Agent>(agents::load_agent("answer.pages_text", prompts));
  job->instructions = agent->prompt.system + agent->prompt.user + session::tier_name(agent->tier) +
                      (agent->labels ? "" : " unlabelled");
  job->ask = [agent, picture](const AnswerExample& example) {
    std::vector<SharedImage> pages;
    std::vector<std::string> names;
    for (const ExamplePage& page : example.pages) {
      pages.push_back(picture(page, agent->tier));
      names.push_back(name_of(page));
    }
    return agents::pages_request(*agent, example.question, std::move(pages), std::move(names));
  };
}

}  // namespace fineprint::train
