// The road of a question without the command line: presets, limits, and being stopped.
#include "fineprint/answering/answering.h"

#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/agents/answer.h"
#include "fineprint/answering/method_options.h"
#include "fineprint/answering/presets.h"
#include "fineprint/core/error.h"
#include "fineprint/core/events.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
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
    made.add(own("gate", OptionType::text, ""));
    made.add(own("reflect", OptionType::boolean, "false"));
    made.add(own("check", OptionType::text, "off"));
    made.add(own("whole-store", OptionType::boolean, "false"));
    made.add(own("strict", OptionType::boolean, "false"));
    made.add(own("trace", OptionType::boolean, "false"));
    made.add(session::session_options().options(), settings::kAnsweringCommands);
    made.add(pipelines::qa_options().options(), settings::kAnsweringCommands);
    made.add(retrieve::search_options().options(), settings::kAnsweringCommands);
    made.add(agents::answer_options().options(), settings::kAnsweringCommands);
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

// Of -k 5 and --min-k 5, the mixture has nothing to choose.
TEST(Answering, RefusesAdaptiveKWithNothingToChooseFrom) {
  const auto of_k = [](const char* k) {
    return with({{"adaptive", {"true"}}, {"min-k", {"5"}}, {"k", {k}}});
  };
  for (const char* k : {"3", "5"}) {
    try {
      search_options(of_k(k));
      FAIL() << k;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      const std::string what = error.what();
      EXPECT_NE(what.find(std::string("K would always be ") + k), std::string::npos) << what;
      EXPECT_NE(what.find("raise -k above --min-k"), std::string::npos) << what;
    }
  }
  EXPECT_EQ(search_options(of_k("6")).k, 6);
}

TEST(Answering, RefusesAWayToLookFirstWithoutAFirstLook) {
  try {
    search_options(with({{"late-first-by", {"signs"}}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("--late-first 1000"), std::string::npos);
  }
  EXPECT_EQ(search_options(with({{"late-first-by", {"signs"}}, {"late-first", {"50"}}})).late_first,
            50);
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
  const Json trace = parse_json(answer.trace_json, "trace");
  ASSERT_GE(trace.size(), 2u);
  EXPECT_EQ(trace[trace.size() - 2].at("step"), "call");
  // The reply tells no log-probabilities: what it is worth is looked up on the page.
  EXPECT_EQ(trace.back().at("step"), "support");
  EXPECT_EQ(answer.confidence, trace.back().at("value"));
}

// Of a reply to a question about page 1 ("Revenue was 12.5 million.").
double confidence_of(const std::string& said, const std::string& question, const Json& extra = {}) {
  const Json reply = {{"answer", said}, {"answerable", true}, {"pages", {0}}};
  agents::SmallAgency there(
      agents::scripted("answer.pages", reply, extra.is_null() ? Json::object() : extra));
  const session::Session& session = there.context().session;
  return Answering(with(kDirect)).answer(session, asked(question)).confidence;
}

TEST(Answering, AWordWithoutProbabilitiesIsWorthWhatThePagesSupport) {
  const double right = confidence_of("12.5 million", "What was revenue?");
  EXPECT_GT(right, 0.5);
  EXPECT_LE(right, 0.9);
  EXPECT_LT(confidence_of("99 billion", "What was revenue?"), right / 2);  // is not there
  EXPECT_LT(confidence_of("12.5 million", "Who chairs the dolphinarium?"), right / 2);
  EXPECT_DOUBLE_EQ(confidence_of("99 billion", "What was revenue?", {{"entropy", 0.25}}),
                   std::exp(-0.25));  // the model's own
}

TEST(Answering, ConfidenceInDecliningIsThatThereIsNoAnswer) {
  const auto declined = [](const Json& extra) {
    const Json reply = {{"answer", ""}, {"answerable", false}, {"pages", Json::array()}};
    agents::SmallAgency there(agents::scripted("answer.pages", reply, extra));
    const session::Session& session = there.context().session;
    return Answering(with(kDirect)).answer(session, asked("Who pays?"));
  };
  const Answer weighed = declined({{"entropy", 0.25}});
  EXPECT_DOUBLE_EQ(weighed.confidence, std::exp(-0.25));
  EXPECT_DOUBLE_EQ(weighed.answerability.value(), 1 - std::exp(-0.25));
  const Answer said = declined(Json::object());
  EXPECT_EQ(said.confidence, 0.5);
  EXPECT_FALSE(said.answerability);
}

TEST(Answering, WhatIsNotSupportedEnoughDeclines) {
  const Json reply = {{"answer", "99 billion"}, {"answerable", true}, {"pages", {0}}};
  agents::SmallAgency there(agents::scripted("answer.pages", reply));
  const session::Session& session = there.context().session;
  const Answer answer =
      Answering(with(direct_with("min-confidence", "0.5"))).answer(session, asked("What revenue?"));
  EXPECT_FALSE(answer.answerable);
  EXPECT_EQ(answer.answer, kNotAnswerable);
}

// The page says 12.5 million, and the reply says something else.
TEST(Answering, AReplyIsCheckedAgainstThePages) {
  const auto answered = [](const std::string& said) {
    const Json reply = {{"answer", said}, {"answerable", true}, {"pages", {1}}};
    agents::SmallAgency there(agents::scripted("answer.pages", reply));
    OptionTexts texts = direct_with("check", "on");
    texts["trace"] = {"true"};
    texts["qa"] = {"none"};
    return Answering(with(texts)).answer(there.context().session, asked("What was revenue?"));
  };
  const Answer right = answered("12.5 million");
  EXPECT_EQ(right.answer, "12.5 million");
  EXPECT_EQ(right.citations.at(0).quote, "Revenue was 12.5 million.");
  EXPECT_EQ(right.usage.vlm_calls, 1);
  ASSERT_TRUE(right.answerability);
  EXPECT_EQ(parse_json(right.trace_json, "trace").back().at("step"), "check");
  const Answer wrong = answered("7 dolphins");
  EXPECT_NE(wrong.answer, "7 dolphins");
  EXPECT_LT(wrong.confidence, right.confidence);
}

// The other document would answer.
TEST(Answering, TheCheckStaysInTheDocumentsThatAreAsked) {
  testing::SmallStore store;
  store.put("acme.pdf", {testing::typed_page({"The revenue of Acme was low."})});
  store.put("other.pdf", {testing::typed_page({"The revenue of Acme was 12.5 million."})});
  const testing::TempDir folder;
  const Json reply = {{"answer", "7 dolphins"}, {"answerable", true}, {"chunks", {0}}};
  session::SessionParts parts;
  parts.generator = std::make_unique<agents::RecordingGenerator>(
      folder.write("script.jsonl", agents::scripted("answer.chunks", reply)),
      std::make_shared<agents::Records>());
  const session::Session session(store.store(), session::SessionOptions{}, std::move(parts));
  const Settings settings = with({{"pipeline", {"textrag"}},
                                  {"generator", {"script:given by the test"}},
                                  {"scorer", {"bm25"}},
                                  {"check", {"on"}},
                                  {"qa", {"none"}},
                                  {"min-answerability", {"0"}},
                                  {"doc", {"acme.pdf"}}});
  const Answer answer = Answering(settings).answer(session, asked("What was the revenue of Acme?"));
  EXPECT_EQ(answer.answer.find("12.5"), std::string::npos) << answer.answer;
  ASSERT_FALSE(answer.citations.empty());
  for (const Citation& citation : answer.citations) EXPECT_EQ(citation.page.doc, "acme.pdf");
}

// No single sentence could be compared with such an answer.
TEST(Answering, AnAnswerThatItsPipelineHasJudgedIsNotChecked) {
  testing::SmallStore store;
  store.put("films.pdf", {testing::typed_page({"Blue Harbour had Ann Lee as its director."})});
  store.put("people.pdf", {testing::typed_page({"Ann Lee, born in 1961, sings."})});
  const testing::TempDir folder;
  const Json first = {{"answer", "Not answerable"},
                      {"answerable", false},
                      {"chunks", {0}},
                      {"open", {"Ann Lee born"}}};
  const auto step = [](const std::vector<int>& facts) {
    const Json quote = {{"source", 0}, {"quote", "Ann Lee, born in 1961, sings."}};
    return Json{{"facts", Json::array({quote})},
                {"open", Json::array()},
                {"next", {{"action", "answer"}, {"answer", "1961"}, {"facts", facts}}}};
  };
  const auto traced = [&](const std::vector<int>& facts) {
    session::SessionParts parts;
    parts.generator = std::make_unique<agents::RecordingGenerator>(
        folder.write("script.jsonl", agents::scripted("investigate.first", first) +
                                         agents::scripted("investigate.step", step(facts))),
        std::make_shared<agents::Records>());
    const session::Session session(store.store(), session::SessionOptions{}, std::move(parts));
    const Answering answering(with({{"pipeline", {"investigate"}},
                                    {"generator", {"script:given by the test"}},
                                    {"scorer", {"bm25"}},
                                    {"k", {"1"}},
                                    {"adaptive", {"false"}},
                                    {"check", {"on"}},
                                    {"qa", {"none"}},
                                    {"trace", {"true"}}}));
    return answering.answer(session, asked("When was the director of Blue Harbour born?"));
  };
  const Answer judged = traced({0, 1});
  EXPECT_EQ(judged.answer, "1961");
  EXPECT_EQ(judged.answerability, judged.confidence);
  EXPECT_LE(judged.confidence, 0.9);
  EXPECT_EQ(judged.trace_json.find("\"check\""), std::string::npos);
  // One sentence proves this one, so it is compared.
  EXPECT_NE(traced({1}).trace_json.find("\"check\""), std::string::npos);
}

TEST(Answering, RefusesACheckOfNoReply) {
  try {
    Answering(with({{"check", {"on"}}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("asks no generator"), std::string::npos);
  }
}

TEST(Presets, AGeneratorAloneMeansTheOneThatAsksIt) {
  const char* const none[] = {nullptr};
  const auto pipeline = [&](const OptionTexts& flags) {
    return resolve_settings(flags, none, settings::kAsk, options()).text("pipeline");
  };
  const std::vector<std::string> model = {"org/name"};
  EXPECT_EQ(pipeline({}), "extractive");
  EXPECT_EQ(pipeline({{"generator", model}}), generator_preset());
  EXPECT_EQ(pipeline({{"generator", model}, {"pipeline", {"extractive"}}}), "extractive");
  EXPECT_EQ(pipeline({{"generator", model}, {"pipeline", {"hkrag"}}}), "hkrag");
  EXPECT_EQ(pipeline({{"generator", model}, {"scorer", {"bm25", "molorag:2"}}}), "extractive");
  EXPECT_EQ(pipeline({{"generator", model}, {"scorer", {"bm25"}}}), generator_preset());
  const Settings all = resolve_settings({{"generator", model}}, none, settings::kAsk, options());
  EXPECT_EQ(all.integer("k"), 8);  // the preset's own values are laid down too
}

TEST(Presets, AGeneratorThatIsSmallMeansAnother) {
  const char* const none[] = {nullptr};
  const SmallGenerator is_small = [](const std::string& spec) { return spec == "tiny"; };
  const auto resolved = [&](const OptionTexts& flags, unsigned command) {
    return resolve_settings(flags, none, command, options(), is_small);
  };
  const auto pipeline = [&](const OptionTexts& flags) {
    return resolved(flags, settings::kAsk).text("pipeline");
  };
  const std::vector<std::string> tiny = {"tiny"};
  ASSERT_NE(generator_preset(true), generator_preset(false));
  EXPECT_EQ(pipeline({{"generator", tiny}}), generator_preset(true));
  EXPECT_EQ(pipeline({{"generator", {"large"}}}), generator_preset(false));
  EXPECT_EQ(pipeline({{"generator", tiny}, {"pipeline", {"hkrag"}}}), "hkrag");
  EXPECT_EQ(pipeline({}), "extractive");
  // Commands that answer by several presets, which are laid down later.
  const auto several = [&](const OptionTexts& flags) {
    return settings_of_pipelines(resolved(flags, settings::kBench)).front().text("pipeline");
  };
  EXPECT_EQ(several({{"generator", tiny}}), generator_preset(true));
  EXPECT_EQ(several({{"generator", {"large"}}}), generator_preset(false));
  EXPECT_EQ(several({{"generator", tiny}, {"pipeline", {"hkrag"}}}), "hkrag");
  EXPECT_EQ(several({}), "extractive");
}

// Interrupts the process as soon as a call has its reply.
class InterruptsAfterACall : public EventListener {
 public:
  void take(const Event& event) override {
    if (event.step == "call") set_interrupted(true);
  }
};

// Otherwise a run that goes on later would keep an answer that was never checked.
TEST(Answering, InterruptedBeforeTheCheckItGivesNoAnswer) {
  auto there = agency();
  const session::Session& session = there.context().session;
  OptionTexts texts = direct_with("check", "on");
  texts["qa"] = {"none"};
  const Answering answering(with(texts));
  InterruptsAfterACall listener;
  EXPECT_THROW(answering.answer(session, asked("quick?"), {}, &listener), Error);
  set_interrupted(false);
  EXPECT_NE(answering.answer(session, asked("quick?")).answer, "");
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
  EXPECT_EQ(stopped.limit, "the question was cancelled");
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
  EXPECT_EQ(answer.limit, "the limit of 0.5 seconds per question is reached (--max-seconds)");
  EXPECT_GE(answer.usage.ms, 500);
  EXPECT_LT(answer.usage.ms, 300'000);
}

// A pipeline that finds pages is a scorer, which asks a model before those that ask one.
TEST(Answering, APipelineCanBeginWithAnother) {
  const auto verdict = [](const char* page, const char* mark) {
    return agents::scripted("molorag.relevance", mark, {{"match", {{"pages", {page}}}}});
  };
  agents::SmallAgency there(
      verdict("report.pdf:1", "1") + verdict("report.pdf:2", "2") + verdict("report.pdf:3", "5") +
      agents::scripted("answer.pages",
                       {{"answer", "99 million"}, {"answerable", true}, {"pages", {0}}}));
  const session::Session& session = there.context().session;
  const Answering answering(with({{"pipeline", {"visualrag"}},
                                  {"generator", {"script:given by the test"}},
                                  {"scorer", {"molorag"}},
                                  {"molorag.start-scorer", {"bm25"}},
                                  {"molorag.all-pages", {"true"}},
                                  {"molorag.semantic-weight", {"0.25"}}}));
  answering.open(session);
  const Answer answer = answering.answer(session, asked("all rules of revenue"));
  EXPECT_EQ(answer.answer, "99 million");
  EXPECT_EQ(answer.usage.vlm_calls, 4);
  ASSERT_EQ(answer.retrieved.size(), 3u);
  EXPECT_EQ(answer.retrieved[0].page.page, 3);
}

TEST(Answering, RefusesAScorerThatCannotBeAsked) {
  const auto refused = [](const OptionTexts& texts, const char* what) {
    try {
      const Answering answering(with(texts));
      ADD_FAILURE() << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused({{"scorer", {"molorag:2", "bm25"}}}, "--scorer molorag needs a generator");
  refused({{"pipeline", {"molorag"}},
           {"generator", {"script:given by the test"}},
           {"scorer", {"molorag"}}},
          "cannot begin with itself");
}

// A question to `direct`, with visualrag for uncertain ones. By perplexity, an entropy of 0.1 is an
// uncertainty of 1 - exp(-0.1) = 0.095, and one of 1 is 0.632.
OptionTexts gated_with(const std::string& max_calls) {
  return {{"pipeline", {"direct"}},
          {"gate", {"visualrag"}},
          {"generator", {"script:given by the test"}},
          {"hkrag.judger-entropy", {"vocab"}},
          {"hkrag.judger-normalise", {"perplexity"}},
          {"hkrag.judger-threshold", {"0.5"}},
          {"max-calls", {max_calls}},
          {"trace", {"true"}}};
}

std::string reply_of_pages(const char* answer) {
  return agents::scripted("answer.pages",
                          {{"answer", answer}, {"answerable", true}, {"pages", {0}}});
}

std::string reply_of_judger(const Json& scores) {
  return agents::scripted("hkrag.judger", "12.5 million", scores);
}

std::vector<std::string> agents_asked_by(agents::SmallAgency& there) {
  std::vector<std::string> names;
  for (const agents::Asked& one : there.records().asked) names.push_back(one.request.agent);
  return names;
}

TEST(Gate, ACertainQuestionKeepsItsAnswer) {
  agents::SmallAgency there(reply_of_pages("12.5 million") + reply_of_judger({{"entropy", 0.1}}));
  const Answering answering(with(gated_with("9")));
  const session::Session& session = there.context().session;
  answering.open(session);
  const Answer answer = answering.answer(session, asked("What was revenue?"));
  EXPECT_EQ(answer.answer, "12.5 million");
  ASSERT_TRUE(answer.gate);
  EXPECT_NEAR(answer.gate->uncertainty.value(), 1 - std::exp(-0.1), 1e-6);
  EXPECT_EQ(answer.gate->preset, "direct");
  EXPECT_EQ(agents_asked_by(there), (std::vector<std::string>{"answer.pages", "hkrag.judger"}));
}

TEST(Gate, AnUncertainQuestionIsAnsweredByTheOtherPreset) {
  agents::SmallAgency there(reply_of_pages("12.5 million") + reply_of_judger({{"entropy", 1}}) +
                            reply_of_pages("99 million"));
  const Answering answering(with(gated_with("9")));
  const Answer answer = answering.answer(there.context().session, asked("What was revenue?"));
  EXPECT_EQ(answer.answer, "99 million");
  EXPECT_EQ(answer.pipeline, "direct");  // which names the run
  ASSERT_TRUE(answer.gate);
  EXPECT_NEAR(answer.gate->uncertainty.value(), 1 - std::exp(-1.0), 1e-6);
  EXPECT_EQ(answer.gate->preset, "visualrag");
  EXPECT_EQ(answer.usage.vlm_calls, 3);
  EXPECT_EQ(agents_asked_by(there),
            (std::vector<std::string>{"answer.pages", "hkrag.judger", "answer.pages"}));
  // The trace has the calls of both, and the decision between them.
  std::vector<std::string> steps;
  for (const Json& step : parse_json(answer.trace_json, "trace")) {
    if (step.at("step") == "call" || step.at("step") == "gate")
      steps.push_back(step.at("step").get<std::string>());
  }
  EXPECT_EQ(steps, (std::vector<std::string>{"call", "call", "gate", "call"}));
}

TEST(Gate, ALimitOfBothLeavesTheFirstAnswer) {
  // The Judger leaves a call for the other preset, so with two calls it is not asked.
  agents::SmallAgency there(reply_of_pages("12.5 million"));
  const Answering answering(with(gated_with("2")));
  const Answer answer = answering.answer(there.context().session, asked("What was revenue?"));
  EXPECT_EQ(answer.answer, "12.5 million");
  ASSERT_TRUE(answer.gate);
  EXPECT_FALSE(answer.gate->uncertainty);
  EXPECT_EQ(answer.gate->preset, "direct");
  EXPECT_NE(answer.limit.find("--max-calls"), std::string::npos);
}

TEST(Gate, RefusesWhatItCannotJudge) {
  const auto refused = [](const OptionTexts& texts, ErrorCode code, const char* what) {
    try {
      agents::SmallAgency there(reply_of_pages("12.5 million") + reply_of_judger({}));
      const Answering answering(with(texts));
      answering.open(there.context().session);
      answering.answer(there.context().session, asked("What was revenue?"));
      ADD_FAILURE() << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused(gated_with("9"), ErrorCode::model, "gives no log-probabilities");
  OptionTexts texts = gated_with("9");
  texts["gate"] = {"direct"};
  refused(texts, ErrorCode::usage, "name another preset");
  texts["gate"] = {"oracle"};
  refused(texts, ErrorCode::usage, "unknown pipeline");
  texts = gated_with("9");
  texts["hkrag.judger-threshold"] = {"1.5"};
  refused(texts, ErrorCode::usage, "no question would be uncertain");
  refused({{"pipeline", {"extractive"}}, {"gate", {"direct"}}}, ErrorCode::usage,
          "--gate needs a generator");
}

// `visualrag` finds by BM25 the one page with the question's rare word; Reflect then names a word
// of another page.
OptionTexts reflecting_with(const std::string& name, const std::string& value) {
  OptionTexts texts = {{"pipeline", {"visualrag"}},
                       {"reflect", {"true"}},
                       {"generator", {"script:given by the test"}},
                       {"scorer", {"bm25"}},
                       {"trace", {"true"}}};
  texts[name] = {value};
  return texts;
}

std::string reply_of_reflect(bool addressed, const char* missing) {
  return agents::scripted("dmap.reflect", {{"addressed", addressed}, {"missing", missing}});
}

std::vector<int> pages_found(const Answer& answer) {
  std::vector<int> pages;
  for (const RetrievedPage& one : answer.retrieved) {
    if (one.shown) pages.push_back(one.page.page);
  }
  return pages;
}

TEST(Reflect, AnAnswerThatAddressesTheQuestionIsKept) {
  agents::SmallAgency there(reply_of_pages("12.5 million") + reply_of_reflect(true, ""));
  const Answering answering(with(reflecting_with("max-calls", "9")));
  const session::Session& session = there.context().session;
  answering.open(session);
  const Answer answer = answering.answer(session, asked("unaudited?"));
  EXPECT_EQ(answer.answer, "12.5 million");
  EXPECT_EQ(answer.reflected, false);
  EXPECT_EQ(pages_found(answer), std::vector<int>{1});
  EXPECT_EQ(agents_asked_by(there), (std::vector<std::string>{"answer.pages", "dmap.reflect"}));
  EXPECT_NE(there.said(1).find("12.5 million"), std::string::npos);
  EXPECT_FALSE(
      Answering(with(kDirect)).answer(agency().context().session, asked("quick?")).reflected);
}

// The page of the question, "Unaudited.", is the first of three; "cite" is on the second, and both
// further words are on it and on the first.
TEST(Reflect, WhatIsMissingIsSearchedForAndReadToo) {
  agents::SmallAgency there(reply_of_pages("12.5 million") +
                            reply_of_reflect(false, "cite unaudited") +
                            reply_of_pages("99 million"));
  const Answering answering(with(reflecting_with("max-calls", "9")));
  const Answer answer = answering.answer(there.context().session, asked("unaudited?"));
  EXPECT_EQ(answer.answer, "99 million");
  EXPECT_EQ(answer.reflected, true);
  EXPECT_EQ(pages_found(answer), (std::vector<int>{1, 2}));
  EXPECT_EQ(answer.usage.vlm_calls, 3);
  EXPECT_EQ(agents_asked_by(there),
            (std::vector<std::string>{"answer.pages", "dmap.reflect", "answer.pages"}));
  std::vector<std::string> missing;
  for (const Json& step : parse_json(answer.trace_json, "trace")) {
    if (step.at("step") == "reflected") missing.push_back(step.at("missing").get<std::string>());
  }
  EXPECT_EQ(missing, std::vector<std::string>{"cite unaudited"});
}

// Pipelines that search in another way: by chunks, which are searched until there are K, and by a
// walk over all pages. With K = 1 the question itself finds its one page.
TEST(Reflect, PipelinesWithOtherSearchesReadMoreToo) {
  for (const char* name : {"textrag", "molorag"}) {
    const bool by_chunks = name == std::string("textrag");
    const char* agent = by_chunks ? "answer.chunks" : "answer.pages";
    const char* evidence = by_chunks ? "chunks" : "pages";
    const auto reply = [&](const char* answer) {
      return agents::scripted(agent, {{"answer", answer}, {"answerable", true}, {evidence, {0}}});
    };
    agents::SmallAgency there(reply("12.5 million") + reply_of_reflect(false, "cite") +
                              reply("99 million"));
    OptionTexts texts = reflecting_with("pipeline", name);
    texts["k"] = {"1"};
    texts["molorag.no-logic"] = {"true"};
    const Answering answering(with(texts));
    const Answer answer = answering.answer(there.context().session, asked("unaudited?"));
    EXPECT_EQ(answer.answer, "99 million") << name;
    EXPECT_EQ(pages_found(answer), (std::vector<int>{1, 2})) << name;
  }
}

TEST(Reflect, NothingToSearchForKeepsTheAnswer) {
  agents::SmallAgency there(reply_of_pages("12.5 million") + reply_of_reflect(false, " "));
  const Answering answering(with(reflecting_with("max-calls", "9")));
  const Answer answer = answering.answer(there.context().session, asked("unaudited?"));
  EXPECT_EQ(answer.answer, "12.5 million");
  EXPECT_EQ(answer.reflected, false);
}

TEST(Reflect, ALimitLeavesTheFirstAnswer) {
  {  // Reflect leaves a call for answering again, so with two calls it is not asked.
    agents::SmallAgency there(reply_of_pages("12.5 million"));
    const Answering answering(with(reflecting_with("max-calls", "2")));
    const Answer answer = answering.answer(there.context().session, asked("unaudited?"));
    EXPECT_EQ(answer.answer, "12.5 million");
    EXPECT_EQ(answer.reflected, false);
    EXPECT_NE(answer.limit.find("--max-calls"), std::string::npos);
  }
  // The first answer shows one page and the second would show two.
  agents::SmallAgency there(reply_of_pages("12.5 million") + reply_of_reflect(false, "cite"));
  const Answering answering(with(reflecting_with("max-pages", "1")));
  const Answer answer = answering.answer(there.context().session, asked("unaudited?"));
  EXPECT_EQ(answer.answer, "12.5 million");
  EXPECT_EQ(answer.reflected, true);
  EXPECT_NE(answer.limit.find("--max-pages"), std::string::npos);
}

TEST(Reflect, ItsAgentMayHaveAModelOfItsOwn) {
  OptionTexts texts = reflecting_with("agent-generator", "dmap.reflect=script:another");
  EXPECT_NO_THROW(Answering{with(texts)});
  texts["reflect"] = {"false"};
  EXPECT_THROW(Answering{with(texts)}, Error);
}

TEST(Reflect, RefusesWhatItCannotImprove) {
  const auto refused = [](const OptionTexts& texts, const char* what) {
    try {
      const Answering answering(with(texts));
      ADD_FAILURE() << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused(reflecting_with("pipeline", "dmap"), "(--dmap.rounds)");
  refused(reflecting_with("gate", "dmap"), "(--dmap.rounds)");
  refused(reflecting_with("pipeline", "closed-book"), "closed-book does not search");
  refused(reflecting_with("pipeline", "direct"), "direct does not search");
  refused(reflecting_with("gold-pages", "true"), "leave out one of them");
  refused({{"pipeline", {"extractive"}}, {"reflect", {"true"}}}, "--reflect needs a generator");
}

TEST(Answering, RefusesASeekerThatHasNoChoice) {
  const auto refused = [](const char* name, const char* value, const char* what) {
    try {
      agents::SmallAgency there(reply_of_pages("12.5 million"));
      OptionTexts texts = {{"pipeline", {"hkrag"}},
                           {"generator", {"script:given by the test"}},
                           {"hkrag.seek", {"true"}}};
      texts[name] = {value};
      Answering(with(texts)).open(there.context().session);
      ADD_FAILURE() << what;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refused("k", "1", "only one page to choose from");
  refused("gold-pages", "true", "all gold pages");
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
