// Asks the trained model what the answering agents ask it.
#include "fineprint/train/answering.h"

#include <memory>
#include <utility>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/answer.h"

namespace fineprint::train {
namespace {

using agents::Agent;

// The agents of pipelines that answer in free text: from pages, from passages, and without either.
// Free text and not JSON, because the examples have answers and no evidence to name.
struct AnsweringAgents {
  explicit AnsweringAgents(const std::string& prompts)
      : pages(agents::load_agent("answer.pages_text", prompts)),
        texts(agents::load_agent("answer.chunks_text", prompts)),
        alone(agents::load_agent("closed-book.answer", prompts)) {}

  Agent pages, texts, alone;
};

std::string instructions_of(const Agent& agent) {
  return agent.prompt.system + agent.prompt.user + session::tier_name(agent.tier) +
         (agent.labels ? "" : " unlabelled");
}

models::Request passages_request(const Agent& agent, const AnswerExample& example) {
  std::vector<agents::ChunkShown> passages;
  passages.reserve(example.texts.size());
  for (const ExampleText& text : example.texts) {
    passages.push_back({PageId(0), text.heading, text.text});
  }
  return agents::text_request(agent, example.question, {agents::chunk_list(passages)});
}

}  // namespace

void set_answering(
    const std::string& prompts,
    const std::function<SharedImage(const ExamplePage& page, session::Tier tier)>& picture,
    AnswerJob* job) {
  const auto asked = std::make_shared<const AnsweringAgents>(prompts);
  job->instructions =
      instructions_of(asked->pages) + instructions_of(asked->texts) + instructions_of(asked->alone);
  job->ask = [asked, picture](const AnswerExample& example) {
    if (!example.texts.empty()) return passages_request(asked->texts, example);
    if (example.pages.empty()) return agents::text_request(asked->alone, example.question, {});
    std::vector<SharedImage> pages;
    std::vector<std::string> names;
    for (const ExamplePage& page : example.pages) {
      pages.push_back(picture(page, asked->pages.tier));
      names.push_back(name_of(page));
    }
    return agents::pages_request(asked->pages, example.question, std::move(pages),
                                 std::move(names));
  };
}

}  // namespace fineprint::train
