// Tests of what a model that is trained to answer is asked.
#include "fineprint/train/answering.h"

#include <gtest/gtest.h>

#include "fineprint/agents/agent.h"

namespace fineprint::train {
namespace {

TEST(Answering, AsksTheAnsweringAgentsPromptAboutAllPagesInTheirOrder) {
  AnswerJob job;
  std::vector<std::string> drawn;
  set_answering(
      "",
      [&](const ExamplePage& page, session::Tier tier) {
        drawn.push_back(name_of(page) + " " + session::tier_name(tier));
        return SharedImage(Image{2, 2, 3, std::vector<std::uint8_t>(12)});
      },
      &job);
  const models::Request request = job.ask({"How high?", {{"b.png", "", 0}, {"", "a.pdf", 3}}, "9"});
  EXPECT_EQ(drawn, (std::vector<std::string>{"b.png page", "a.pdf:3 page"}));
  EXPECT_EQ(request.pages, (std::vector<std::string>{"b.png", "a.pdf:3"}));
  EXPECT_EQ(request.images.size(), 2U);

  const agents::Agent agent = agents::load_agent("answer.pages_text");
  const models::Message& user = request.messages.back();
  EXPECT_EQ(request.agent, "answer.pages_text");
  EXPECT_EQ(user.images, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(user.image_labels, (std::vector<std::string>{"Page 0: ", "Page 1: "}));
  std::string asked = agent.prompt.user;
  asked.replace(asked.find("{question}"), 10, "How high?");
  EXPECT_EQ(user.text, asked);
  EXPECT_EQ(user.text.find("9"), std::string::npos);  // the answer is not in the prompt
  EXPECT_EQ(request.messages.front().text, agent.prompt.system);
}

}  // namespace
}  // namespace fineprint::train
