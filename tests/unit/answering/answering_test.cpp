// The road of a question without the command line: presets, limits, and being stopped.
#include "fineprint/answering/answering.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/agents/reading.h"
#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/remote/script_generator.h"
#include "fineprint/retrieve/search.h"

#include "unit/agents/small_agency.h"

namespace fineprint::answering {
namespace {

using settings::OptionSet;
using settings::Settings;

settings::ProgramOption own(std::string_view name, OptionType type, std::string initial) {
  settings::ProgramOption option;
  option.name = name;
  option.type = type;
  option.initial = {std::move(initial)};
  option.commands = settings::kAnsweringCommands;
  return option;
}

// What an answer is made with, as a program declares it.
const OptionSet& options() {
  static const OptionSet set = [] {
    OptionSet made;
    made.add(own("pipeline", OptionType::text, "extractive"));
    made.add(own("whole-store", OptionType::boolean, "false"));
    made.add(own("strict", OptionType::boolean, "false"));
    made.add(own("trace", OptionType::boolean, "false"));
    made.add(session::session_options().options(), settings::kAnsweringCommands);
    made.add(retrieve::search_options().options(), settings::kAnsweringCommands);
    made.add(agents::reader_options().options(), settings::kAnsweringCommands);
    made.add(budget_options().options(), settings::kAnsweringCommands);
    for (const pipelines::Pipeline& pipeline : pipelines::all()) {
      made.add(pipeline.options, settings::kAnsweringCommands, {}, pipeline.info.name);
    }
    return made;
  }();
  return set;
}

Settings with(const OptionTexts& changed) {
  Settings made(options());
  made.lay_over(changed, "the test");
  return made;
}

Question asked(const std::string& text) {
  Question question;
  question.id = text.substr(0, 1);
  question.text = text;
  return question;
}

// Three pages, and replies to two questions: one comes at once, one in ten minutes.
agents::SmallAgency agency() {
  const Json reply = {{"answer", "12.5 million"}, {"answerable", true}, {"pages", {0}}};
  const auto line = [&](const char* question, double ms) {
    return agents::scripted("answer.pages", reply,
                            {{"match", {{"question", question}}}, {"ms", ms}});
  };
  return agents::SmallAgency(line("quick?", 0) + line("quick?", 200) + line("slow?", 600'000));
}

const OptionTexts kDirect = {{"pipeline", {"direct"}}, {"generator", {"script:given by the test"}}};

OptionTexts direct_with(const std::string& name, const std::string& value) {
  OptionTexts texts = kDirect;
  texts[name] = {value};
  return texts;
}

TEST(Answering, FillsInTheRecord) {
  auto there = agency();
  const session::Session& session = there.context().session;
  const Answering answering(with(direct_with("trace", "true")));
  answering.open(session);
  const Answer answer = answering.answer(session, asked("quick?"));
  EXPECT_EQ(answer.id, "q");
  EXPECT_EQ(answer.question, "quick?");
  EXPECT_EQ(answer.answer, "12.5 million");
  EXPECT_EQ(answer.pipeline, "direct");
  EXPECT_EQ(answer.generator, "recording");
  EXPECT_EQ(answer.usage.vlm_calls, 1);
  EXPECT_EQ(answer.limit, "");
  EXPECT_EQ(parse_json(answer.trace_json, "trace").back().at("step"), "call");
}

TEST(Answering, OfTwoQuestionsOneIsStopped) {
  auto there = agency();
  const session::Session& session = there.context().session;
  const Answering answering(with(kDirect));
  answering.answer(session, asked("quick?"));  // the next one takes 200 ms
  const StopSource first, second;
  Answer stopped, ended;
  std::thread one([&] { stopped = answering.answer(session, asked("slow?"), first.token()); });
  std::thread other([&] { ended = answering.answer(session, asked("quick?"), second.token()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  first.request_stop();
  one.join();
  other.join();
  EXPECT_FALSE(stopped.answerable);
  EXPECT_EQ(stopped.limit, "the question was called off");
  EXPECT_LT(stopped.usage.ms, 300'000);
  EXPECT_EQ(ended.answer, "12.5 million");
  EXPECT_EQ(ended.limit, "");
}

TEST(Answering, TheTimeOfAQuestionEndsItsReply) {
  auto there = agency();
  const session::Session& session = there.context().session;
  const Answering answering(with(direct_with("max-seconds", "0.5")));
  const Answer answer = answering.answer(session, asked("slow?"));
  EXPECT_FALSE(answer.answerable);
  EXPECT_EQ(answer.limit, "the limit of 0.5 seconds a question is reached (--max-seconds)");
  EXPECT_GE(answer.usage.ms, 500);
  EXPECT_LT(answer.usage.ms, 300'000);
}

TEST(Answering, WithoutAGeneratorItSaysSo) {
  try {
    const Answering answering(with({{"pipeline", {"direct"}}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("--generator"), std::string::npos);
  }
}

}  // namespace
}  // namespace fineprint::answering
