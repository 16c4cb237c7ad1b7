// Scripted replies: what fits which call, in which order, and what is wrong with a script.
#include "fineprint/remote/script_generator.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/threads.h"

#include "support/temp_dir.h"

namespace fineprint::remote {
namespace {

models::Request call(const std::string& agent, const std::string& question,
                     std::vector<std::string> pages = {}) {
  models::Request request;
  request.agent = agent;
  request.question = question;
  request.pages = std::move(pages);
  return request;
}

class Script : public ::testing::Test {
 protected:
  std::unique_ptr<models::Generator> script(const std::string& lines) {
    return make_script_generator("script:" + dir_.write("replies.jsonl", lines));
  }
  std::string problem(const std::string& lines) {
    try {
      script(lines);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      return error.what();
    }
    return {};
  }
  testing::TempDir dir_;
};

TEST_F(Script, LinesAreUsedInOrderForEachQuestionAndAgent) {
  const auto generator = script(
      R"({"agent": "seeker", "reply": "first"}
{"agent": "judge", "match": {"question": "b"}, "reply": "only b"}

{"agent": "seeker", "match": {"pages": ["r.pdf:2"]}, "reply": "page 2"}
{"agent": "seeker", "reply": {"page": 3, "why": "é"}}
)");
  const auto say = [&](const models::Request& request) {
    return generator->generate(request, {}).text;
  };
  EXPECT_EQ(say(call("seeker", "a")), "first");
  EXPECT_EQ(say(call("seeker", "b")), "first");
  EXPECT_EQ(say(call("seeker", "a", {"r.pdf:1"})), "{\"page\":3,\"why\":\"é\"}");
  EXPECT_EQ(say(call("seeker", "a", {"r.pdf:2"})), "page 2");
  EXPECT_EQ(say(call("judge", "b")), "only b");
  EXPECT_TRUE(generator->remote().empty());
}

TEST_F(Script, ACallThatNothingFitsNamesWhatIsLeft) {
  const auto generator = script(R"({"agent": "seeker", "reply": "x"}
{"agent": "seeker", "match": {"question": "other"}, "reply": "y"}
{"agent": "judge", "reply": "z"})");
  generator->generate(call("seeker", "mine"), {});
  try {
    generator->generate(call("seeker", "mine"), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    const std::string what = error.what();
    EXPECT_NE(what.find("agent \"seeker\" and question \"mine\""), std::string::npos) << what;
    EXPECT_TRUE(what.ends_with("unused lines of this agent: 2")) << what;
  }
}

TEST_F(Script, ErrorsAreThrown) {
  const auto generator = script(R"({"agent": "a", "reply": {"error": "out of memory"}}
{"agent": "a", "reply": {"error": "late", "code": "timed_out"}}
{"agent": "a", "reply": {"error": "a field of the reply", "page": 1}})");
  for (const ErrorCode code : {ErrorCode::model, ErrorCode::timed_out}) {
    try {
      generator->generate(call("a", "q"), {});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
    }
  }
  EXPECT_TRUE(generator->generate(call("a", "q"), {}).text.starts_with("{\"error\""));
}

TEST_F(Script, ScoresAndStreams) {
  const auto generator =
      script(R"({"agent": "a", "reply": "x y", "logprobs": [-0.5, -1], "entropy": 0.25}
{"agent": "a", "reply": "x"})");
  std::string shown;
  models::SamplingOptions options;
  options.on_text = [&](std::string_view text) { shown += text; };
  const models::Reply reply = generator->generate(call("a", "q"), options);
  EXPECT_EQ(shown, "x y");
  ASSERT_EQ(reply.tokens.size(), 2u);
  EXPECT_EQ(reply.tokens[1].log_probability, -1);
  EXPECT_EQ(reply.tokens[1].entropy, 0.25);
  EXPECT_TRUE(std::isnan(reply.tokens[1].top_entropy));
  EXPECT_TRUE(generator->generate(call("a", "q"), {}).tokens.empty());
}

TEST_F(Script, TheEntropyOfTheLikeliest) {
  const auto generator =
      script(R"({"agent": "a", "reply": "x y", "top_entropy": [0.5, 2], "entropy": 0.75})");
  const models::Reply reply = generator->generate(call("a", "q"), {});
  ASSERT_EQ(reply.tokens.size(), 2u);
  EXPECT_EQ(reply.tokens[0].top_entropy, 0.5);
  EXPECT_EQ(reply.tokens[1].top_entropy, 2);
  EXPECT_EQ(reply.tokens[1].entropy, 0.75);
  EXPECT_EQ(generator->vocabulary(), 0);
}

TEST_F(Script, Choices) {
  const auto generator = script(R"({"agent": "a", "reply": "2"}
{"agent": "a", "reply": "2", "logprobs": [-0.25]}
{"agent": "a", "reply": "3", "entropy": 0.9}
{"agent": "a", "reply": "1", "logprobs": [-0.5, -2, -3]}
{"agent": "a", "reply": "4"})");
  const std::vector<std::string> marks = {"1", "2", "3"};
  const auto choose = [&] { return generator->choose(call("a", "q"), marks); };
  EXPECT_EQ(choose().probabilities, (std::vector<double>{0, 1, 0}));
  EXPECT_NEAR(choose().probabilities[1], std::exp(-0.25), 1e-12);
  const models::Choice third = choose();
  EXPECT_EQ(third.best, 2u);
  double entropy = 0;
  for (const double p : third.probabilities) entropy -= p * std::log(p);
  EXPECT_NEAR(entropy, 0.9, 1e-9);
  EXPECT_GT(third.probabilities[2], 1.0 / 3);
  const models::Choice fourth = choose();
  EXPECT_NEAR(fourth.probabilities[0] / fourth.probabilities[1], std::exp(1.5), 1e-9);
  EXPECT_NEAR(fourth.probabilities[0] + fourth.probabilities[1] + fourth.probabilities[2], 1,
              1e-12);
  EXPECT_THROW(choose(), Error);
}

TEST_F(Script, LinesThatAreWrongAreNamed) {
  for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
           {"{", "replies.jsonl:2"},
           {"[]", "object"},
           {R"({"reply": "x"})", "\"agent\""},
           {R"({"agent": "a"})", "\"reply\" is missing"},
           {R"({"agent": "a", "reply": 3})", "string or an object"},
           {R"({"agent": "a", "reply": {"error": "late", "code": "timeout"}})",
            "not an error code"},
           {R"({"agent": "a", "reply": "x", "match": {"page": 1}})", "unknown key \"page\""},
           {R"({"agent": "a", "reply": "x", "match": {"pages": [1]}})", "\"pages\""},
           {R"({"agent": "a", "reply": "x", "logprobs": [0.5]})", "0 or less"},
           {R"({"agent": "a", "reply": "x", "logprobs": "no"})", "list of numbers"},
           {R"({"agent": "a", "reply": "x", "top_entropy": -1})", "\"top_entropy\" must be 0"},
           {R"({"agent": "a", "reply": "x", "logprobs": [-1, -2], "top_entropy": [1, 2, 3]})",
            "length"},
           {R"({"agent": "a", "reply": "x", "logprobs": [-1, -2], "entropy": [1, 2, 3]})",
            "length"}}) {
    const std::string said = problem("{\"agent\": \"a\", \"reply\": \"fine\"}\n" + line + "\n");
    EXPECT_NE(said.find(part), std::string::npos) << line << ": " << said;
    EXPECT_NE(said.find("replies.jsonl:2"), std::string::npos) << said;
  }
  EXPECT_THROW(make_script_generator("script:" + dir_.file("nowhere")), Error);
}

TEST_F(Script, ManyThreadsUseEachLineOnce) {
  std::string lines;
  for (int i = 0; i < 100; ++i)
    lines += "{\"agent\": \"a\", \"reply\": \"" + std::to_string(i) + "\"}\n";
  const auto generator = script(lines);
  std::atomic<int> sum = 0;
  parallel_for(
      100, 8, [&](std::size_t) { sum += std::stoi(generator->generate(call("a", "q"), {}).text); });
  EXPECT_EQ(sum, 99 * 100 / 2);
}

// The reply would take ten minutes.
constexpr const char* kSlow =
    R"({"agent": "a", "reply": "one two three", "logprobs": [-1, -1], "ms": 600000})";

TEST_F(Script, ASlowReplyComesBitByBitAndAStopEndsIt) {
  const auto generator = script(
      R"({"agent": "a", "reply": "éèê and so on and on", "logprobs": [-1, -1, -1], "ms": 300}
{"agent": "a", "reply": "éèê and so on and on", "logprobs": [-1, -1, -1], "ms": 600000})");
  std::string shown;
  int pieces = 0;
  models::SamplingOptions options;
  options.on_text = [&](std::string_view piece) {
    shown += piece;
    ++pieces;
  };
  const models::Reply whole = generator->generate(call("a", "q"), options);
  EXPECT_EQ(whole.text, "éèê and so on and on");
  EXPECT_EQ(shown, whole.text);
  EXPECT_GT(pieces, 1);
  EXPECT_EQ(whole.finish, models::Finish::end_token);
  EXPECT_EQ(whole.tokens.size(), 3U);
  EXPECT_GE(whole.decode_ms, 300);

  options.stop_token = StopToken().until(StopToken::Clock::now() + std::chrono::milliseconds(30));
  const models::Reply cut = generator->generate(call("a", "q"), options);
  EXPECT_EQ(cut.finish, models::Finish::cancelled);
  EXPECT_EQ(cut.text, "") << "a character takes half a minute";
  EXPECT_TRUE(cut.tokens.empty());
  EXPECT_LT(cut.decode_ms, 300'000);
}

TEST_F(Script, OfTwoSlowCallsOneIsStopped) {
  const auto generator = script(
      R"({"agent": "a", "match": {"question": "p"}, "reply": "never", "ms": 600000}
{"agent": "a", "match": {"question": "q"}, "reply": "in time", "ms": 200})");
  const StopSource first, second;
  models::Reply stopped, ended;
  std::thread one([&] {
    models::SamplingOptions options;
    options.stop_token = first.token();
    stopped = generator->generate(call("a", "p"), options);
  });
  std::thread other([&] {
    models::SamplingOptions options;
    options.stop_token = second.token();
    ended = generator->generate(call("a", "q"), options);
  });
  first.request_stop();
  one.join();
  other.join();
  EXPECT_EQ(stopped.finish, models::Finish::cancelled);
  EXPECT_EQ(ended.finish, models::Finish::end_token);
  EXPECT_EQ(ended.text, "in time");
}

TEST_F(Script, AStoppedChoiceThrows) {
  const auto generator = script(kSlow);
  const std::vector<std::string> candidates = {"one two three", "no"};
  const StopToken soon = StopToken().until(StopToken::Clock::now() + std::chrono::milliseconds(20));
  try {
    generator->choose(call("a", "q"), candidates, soon);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::timed_out);
  }
}

TEST_F(Script, ATimeIsNoLessThanNothing) {
  for (const char* ms : {"-1", "1e99", "\"10\"", "null"}) {
    const std::string line = std::string(R"({"agent": "a", "reply": "x", "ms": )") + ms + "}";
    EXPECT_NE(problem(line).find("\"ms\" must be 0 to 86400000"), std::string::npos) << ms;
  }
}

}  // namespace
}  // namespace fineprint::remote
