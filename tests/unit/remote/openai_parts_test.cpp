// Addresses, pauses and event streams of the chat completions client.
#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "remote/openai/address.h"
#include "remote/openai/chat_body.h"
#include "remote/openai/cut_prompt.h"
#include "remote/openai/event_stream.h"
#include "remote/openai/reply_reader.h"

namespace fineprint::remote {
namespace {

using namespace std::chrono_literals;

models::Reply of_prompt_tokens(std::int64_t tokens) {
  models::Reply reply;
  reply.prompt_tokens = tokens;
  return reply;
}

TEST(CutPrompt, EachWordAfterABlankIsATokenAtLeast) {
  models::Request request;
  request.messages.push_back({models::Role::system, "Be brief.", {}});
  request.messages.push_back(
      {models::Role::user, "  1,234 visitors,\nthat's\tall ...... \xe4\xb8\xad\xe6\x96\x87", {}});
  EXPECT_EQ(least_tokens(request), 6);
  EXPECT_TRUE(was_cut(request, of_prompt_tokens(5)));
  EXPECT_FALSE(was_cut(request, of_prompt_tokens(6)));
  EXPECT_FALSE(was_cut(request, of_prompt_tokens(0)));  // the server gives no number
}

TEST(ServerAddress, TakenApart) {
  const ServerAddress plain = parse_address("openai:http://localhost:8000/v1/#Qwen/Qwen2.5-VL-7B");
  EXPECT_FALSE(plain.tls);
  EXPECT_EQ(plain.host_and_port(), "localhost:8000");
  EXPECT_EQ(plain.base_path, "/v1");
  EXPECT_EQ(plain.model, "Qwen/Qwen2.5-VL-7B");
  const ServerAddress tls = parse_address("openai:https://api.example.com#m#2");
  EXPECT_TRUE(tls.tls);
  EXPECT_EQ(tls.host_and_port(), "api.example.com:443");
  EXPECT_EQ(tls.base_path, "");
  EXPECT_EQ(tls.model, "m#2");
  EXPECT_EQ(parse_address("openai:http://[fe80::1]:9/v1#m").host_and_port(), "[fe80::1]:9");
  EXPECT_EQ(parse_address("openai:http://[::1]/v1#m").port, 80);
}

TEST(ServerAddress, InFewWords) {
  const auto told = [](const char* spec) {
    EXPECT_TRUE(is_address(spec)) << spec;
    const ServerAddress at = parse_address(spec);
    return format("{}{}{} {}", at.tls ? "tls " : "", at.host_and_port(), at.base_path, at.model);
  };
  EXPECT_EQ(told("ollama:llama3.2:3b"), "localhost:11434/v1 llama3.2:3b");
  EXPECT_EQ(told("ollama:"), "localhost:11434/v1 ");
  EXPECT_EQ(told("lmstudio:qwen/qwen3-vl"), "localhost:1234/v1 qwen/qwen3-vl");
  EXPECT_EQ(told("ollama:http://far:11434#bge-m3:latest"), "far:11434/v1 bge-m3:latest");
  EXPECT_EQ(told("lmstudio:https://far/api#m"), "tls far:443/api m");
  EXPECT_EQ(told("http://localhost:8080"), "localhost:8080/v1 ");
  EXPECT_EQ(told("http://localhost:8080/"), "localhost:8080/v1 ");
  EXPECT_EQ(told("http://localhost:8080/v1#m"), "localhost:8080/v1 m");
  EXPECT_EQ(told("https://a.example/api/v2#m"), "tls a.example:443/api/v2 m");
  EXPECT_EQ(told("openai:http://localhost:8080"), "localhost:8080 ");
  EXPECT_EQ(told("openai:http://localhost:8080/v1#"), "localhost:8080/v1 ");
  for (const char* other : {"models/Qwen", "org/name", "script:a", "ollama", "localhost:80", ""}) {
    EXPECT_FALSE(is_address(other)) << other;
  }
}

TEST(ServerAddress, Refused) {
  for (const char* spec :
       {"openai:", "openai:localhost:80#m", "http://", "https://#m", "http://a:x",
        "openai:ftp://a/#m", "openai:http://#m", "openai:http://a:0#m", "openai:http://a:99999#m",
        "openai:http://a:8x#m", "openai:http://a/v1?x=1#m", "openai:http://a/v 1#m",
        "openai:http://[::1#m", "openai:http://[::1]x#m", "openai:http://a/\r\nX: 1#m"}) {
    try {
      parse_address(spec);
      ADD_FAILURE() << spec;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
    }
  }
  for (const char* spec : {"openai:https://me:hunter2@a/v1#m", "openai:https://me:hunter2#3@a/v1#m",
                           "https://me:hunter2@a"}) {
    try {
      parse_address(spec);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos) << error.what();
    }
  }
}

TEST(ServerAddress, RedirectsWithin) {
  const ServerAddress server = parse_address("openai:https://a.example/v1#m");
  EXPECT_EQ(path_within(server, "/v2/x"), "/v2/x");
  EXPECT_EQ(path_within(server, "https://a.example:443/v2"), "/v2");
  for (const char* away : {"http://a.example/v2", "https://b.example/v2", "//b.example/v2",
                           "https://a.example:444/v2", "v2", "", "/a b", "https://a.example"}) {
    EXPECT_EQ(path_within(server, away), "") << away;
  }
}

TEST(EventStream, HoweverTheBytesAreCut) {
  const std::string bytes =
      "data: one\n\n: ping\n\ndata:two\r\ndata: lines\r\n\r\nevent: x\rdata: three\r\rdata: four";
  const std::vector<std::string> expected = {"one", "two\nlines", "three", "four"};
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    std::vector<std::string> seen;
    const auto keep = [&](const std::string& data) { seen.push_back(data); };
    EventStream stream;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      stream.push(std::string_view(bytes).substr(at, size), keep);
    }
    stream.finish(keep);
    EXPECT_EQ(seen, expected) << size;
  }
}

TEST(EventStream, ALineWithoutEndIsRefused) {
  EventStream stream;
  const std::string much(1 << 20, 'x');
  EXPECT_THROW(
      {
        for (int i = 0; i < 20; ++i) stream.push(much, [](const std::string&) {});
      },
      Error);
}

TEST(ErrorMessage, WhateverItsForm) {
  EXPECT_EQ(error_message(R"({"error": {"message": "a\nb", "code": 1}})"), "a\nb");
  EXPECT_EQ(error_message(R"({"error": "c"})"), "c");
  EXPECT_EQ(error_message(R"({"detail": [{"loc": 1}]})"), R"([{"loc":1}])");
  EXPECT_EQ(error_message(R"({"object": "error", "message": "d"})"), "d");
  EXPECT_EQ(error_message("Bad Gateway\r\n"), "Bad Gateway\r\n");
}

TEST(OneLine, IsShortAndOfWholeCharacters) {
  EXPECT_EQ(short_line("Bad Gateway\r\n"), "Bad Gateway  ");
  EXPECT_EQ(short_line("\xff"), "\xef\xbf\xbd");
  EXPECT_LT(short_line(std::string(5000, 'x')).size(), 310u);
}

TEST(Habits, WhatTwoCallsFoundOutStays) {
  const Habits all;
  Habits a = all, b = all;
  a.json = JsonMode::words;
  b.seed = false;
  b.top_log_probabilities = 5;
  Habits both = a;
  both.seed = false;
  both.top_log_probabilities = 5;
  EXPECT_EQ(common_habits(a, b), both);
  EXPECT_EQ(common_habits(b, a), both);
  EXPECT_EQ(common_habits(both, all), both);
}

TEST(Habits, WhatARefusalNamesIsLeftOut) {
  const Habits all;
  EXPECT_EQ(without_named(all, "prompt too long"), all);
  EXPECT_EQ(without_named(all, "top_logprobs must be at most 5").top_log_probabilities, 5);
  EXPECT_FALSE(without_named(all, "use max_completion_tokens, not max_tokens").max_tokens);
  const Habits less = without_named(all, "Unexpected: {'seed', 'logprobs', 'stream_options'}");
  EXPECT_FALSE(less.seed || less.stream_options);
  EXPECT_EQ(less.top_log_probabilities, 0);
  EXPECT_EQ(less.json, JsonMode::schema);
  const Habits object = without_named(all, "response_format: 'json_schema' is unknown");
  EXPECT_EQ(object.json, JsonMode::object);
  const Habits words = with_next_json(object);
  EXPECT_EQ(words.json, JsonMode::words);
  EXPECT_EQ(with_next_json(words), words);
}

TEST(ChatBody, LabelsStandBeforeTheirImages) {
  models::Request request;
  request.messages.push_back({models::Role::system, "Be brief.", {}});
  request.messages.push_back({models::Role::user, "Which?", {1, 0, 1}, {"Page 0: ", ""}});
  const std::vector<std::string> pictures = {"data:a", "data:b"};
  const std::string body = chat_body({"m", request, {}, pictures}, {});
  const auto text = [](const char* of) { return Json{{"type", "text"}, {"text", of}}; };
  const auto picture = [](const char* url) {
    return Json{{"type", "image_url"}, {"image_url", {{"url", url}}}};
  };
  EXPECT_EQ(parse_json(body, "body").at("messages").at(1).at("content"),
            Json::array({text("Page 0: "), picture("data:b"), picture("data:a"), picture("data:b"),
                         text("Which?")}));
}

TEST(LeastEntropy, HoldsWithATokenThatIsNotAmongTheLikeliest) {
  // 0.4, 0.3, 0.15, 0.1 and 0.05; told: the two likeliest, and the last as the drawn one.
  const double whole = -0.4 * std::log(0.4) - 0.3 * std::log(0.3) - 0.15 * std::log(0.15) -
                       0.1 * std::log(0.1) - 0.05 * std::log(0.05);
  const TopTokens told = {{"a", std::log(0.4)}, {"b", std::log(0.3)}, {"e", std::log(0.05)}};
  EXPECT_LE(least_entropy(told), whole);
  EXPECT_GT(least_entropy(told), 0.8);
  EXPECT_DOUBLE_EQ(least_entropy({{"a", 0.0}}), 0);
}

TEST(TopEntropy, IsThatOfTheTenLikeliest) {
  // The drawn token is listed first or last, or as an eleventh that is less likely than the others.
  TopTokens told;
  for (int i = 0; i < 8; ++i) told.emplace_back("b", std::log(0.05));
  told.emplace_back("a", std::log(0.2));
  EXPECT_TRUE(std::isnan(top_entropy(told)));
  told.emplace_back("c", std::log(0.2));
  const double expected = -(0.5 * std::log(0.25) + 0.5 * std::log(0.0625));
  EXPECT_NEAR(top_entropy(told), expected, 1e-12);
  told.emplace_back("d", std::log(0.01));
  EXPECT_NEAR(top_entropy(told), expected, 1e-12);
  EXPECT_NEAR(top_entropy(TopTokens(20, {"e", std::log(0.01)})), std::log(10.0), 1e-12);
  TopTokens sure(12, {"f", -9999});
  sure[5].second = 0;
  EXPECT_EQ(top_entropy(sure), 0);
  EXPECT_TRUE(std::isnan(top_entropy({})));
}

}  // namespace
}  // namespace fineprint::remote
