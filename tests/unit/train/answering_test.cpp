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
  const models::Request request = job.ask(
      {.question = "How high?", .pages = {{"b.png", "", 0}, {"", "a.pdf", 3}}, .answer = "9"});
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

TEST(Answering, AsksTextragsPromptAboutPassagesAndTheClosedBookPromptWithoutAny) {
  AnswerJob job;
  set_answering(
      "", [](const ExamplePage&, session::Tier) -> SharedImage { throw "no page is drawn"; }, &job);
  const models::Request read = job.ask(
      {.question = "How high?", .texts = {{"a.pdf, page 3", "Nine metres."}, {"", "Ten."}}});
  EXPECT_EQ(read.agent, "answer.chunks_text");
  EXPECT_TRUE(read.images.empty());
  std::string asked = agents::load_agent("answer.chunks_text").prompt.user;
  asked.replace(asked.find("{question}"), 10, "How high?");
  asked.replace(asked.find("{chunks}"), 8,
                "Passage 0:\n| a.pdf, page 3\n| Nine metres.\nPassage 1:\n| Ten.\n");
  EXPECT_EQ(read.messages.back().text, asked);

  const models::Request alone = job.ask({.question = "How high?"});
  EXPECT_EQ(alone.agent, "closed-book.answer");
  EXPECT_TRUE(alone.images.empty());
  EXPECT_EQ(alone.messages.front().text, agents::load_agent("closed-book.answer").prompt.system);
}

}  // namespace
}  // namespace fineprint::train
