// The client of chat completions servers against servers that the tests run.
#include "remote/openai/openai_generator.h"

#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/threads.h"
#include "fineprint/image/codec.h"

#include "chat_server.h"

namespace fineprint::remote {
namespace {

using fineprint::testing::ending;
using fineprint::testing::FakeChatServer;
using fineprint::testing::piece;
using namespace std::chrono_literals;

// Waits for nothing and remembers for how long.
struct Waits {
  std::vector<std::chrono::milliseconds> pauses;
  std::chrono::system_clock::time_point now =
      std::chrono::sys_days(std::chrono::year(2026) / 3 / 1);

  Waiting waiting() {
    return {[this](std::chrono::milliseconds time, const Waiting::Stop& stop) {
              pauses.push_back(time);
              return !stop();
            },
            [this] { return now; }, [] { return 0.5; }};
  }
};

models::Request ask(const std::string& text) {
  models::Request request;
  request.messages.push_back({models::Role::user, text, {}});
  return request;
}

template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {ErrorCode::internal, ""};
}

bool has(const Error& error, std::string_view part) {
  return std::string_view(error.what()).find(part) != std::string_view::npos;
}

TEST(OpenAi, AStreamBecomesAReply) {
  FakeChatServer server([](int, const auto&, auto& response) {
    FakeChatServer::stream(
        response, ": a comment\r\n\r\n" + piece("Ten ") + piece("pages\xc3\xa9") +
                      ending("length", {{"prompt_tokens", 40},
                                        {"completion_tokens", 2},
                                        {"prompt_tokens_details", {{"cached_tokens", 32}}}}));
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {.api_key = "secret"},
                                  waits.waiting());
  std::string shown;
  models::SamplingOptions options;
  options.max_new_tokens = 7;
  options.seed = 3;
  options.stop = {"\n\n"};
  options.on_text = [&](std::string_view text) { shown += text; };
  const models::Reply reply = generator.generate(ask("How many?"), options);
  EXPECT_EQ(reply.text, "Ten pages\xc3\xa9");
  EXPECT_EQ(shown, reply.text);
  EXPECT_EQ(reply.finish, models::Finish::length);
  EXPECT_EQ(reply.prompt_tokens, 40);
  EXPECT_EQ(reply.cached_tokens, 32);
  EXPECT_EQ(reply.output_tokens, 2);
  EXPECT_TRUE(reply.tokens.empty());
  const Json body = server.body(0);
  EXPECT_EQ(body.at("model"), "tiny");
  EXPECT_EQ(body.at("max_tokens"), 7);
  EXPECT_EQ(body.at("temperature"), 0);
  EXPECT_EQ(body.at("seed"), 3);
  EXPECT_EQ(body.at("stop"), Json::array({"\n\n"}));
  EXPECT_EQ(body.at("messages"), Json({{{"role", "user"}, {"content", "How many?"}}}));
  EXPECT_EQ(server.request(0).path, "/v1/chat/completions");
  EXPECT_EQ(server.request(0).get_header_value("Authorization"), "Bearer secret");
  EXPECT_EQ(generator.remote(), format("127.0.0.1:{}", server.port()));
}

// A stream of the events that `pieces` makes, each with the field `name`.
std::string fields(const char* name, const std::vector<std::string>& pieces) {
  std::string events;
  for (const std::string& piece : pieces) {
    events +=
        "data: " + dump_json({{"choices", {{{"index", 0}, {"delta", {{name, piece}}}}}}}) + "\n\n";
  }
  return events;
}

TEST(OpenAi, ThoughtsAreNotTheReply) {
  const Json usage = {{"prompt_tokens", 40},
                      {"completion_tokens", 9},
                      {"completion_tokens_details", {{"reasoning_tokens", 6}}}};
  const std::vector<std::string> bodies = {
      fields("content", {"<think>", "Seven? ", "Stop here.", "</think>", "\n\nTen", " pages."}),
      fields("content", {"Seven? ", "Or more.", "</think>\n", "Ten pages."}),
      fields("reasoning_content", {"Seven?"}) + fields("content", {"Ten", " pages."}),
      fields("reasoning", {"Seven?"}) + fields("content", {"Ten", " pages."}),
  };
  FakeChatServer server([&](int number, const auto&, auto& response) {
    FakeChatServer::stream(response,
                           bodies[static_cast<std::size_t>(number)] + ending("stop", usage));
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  models::SamplingOptions options;
  options.stop = {"here"};  // a stop string in thoughts ends nothing
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    std::string shown;
    options.on_text = [&](std::string_view text) { shown += text; };
    const models::Reply reply = generator.generate(ask("How many?"), options);
    EXPECT_EQ(reply.text, "Ten pages.") << i;
    EXPECT_TRUE(shown.ends_with(reply.text)) << shown;
    EXPECT_EQ(reply.thought_tokens, 6) << i;
    EXPECT_EQ(reply.output_tokens, 9) << i;
    EXPECT_EQ(models::why_empty(reply), "");
  }
}

TEST(OpenAi, ScoresOfThoughtsAreNotThoseOfTheReply) {
  const auto scored = [](const std::vector<std::string>& tokens) {
    Json list = Json::array();
    for (const std::string& token : tokens) {
      list.push_back({{"token", token}, {"logprob", token == "Ten" ? -0.25 : -2.0}});
    }
    return list;
  };
  const std::vector<Json> choices = {
      {{"message", {{"content", "<think>Seven?</think>\nTen"}}},
       {"logprobs", {{"content", scored({"<think>", "Seven", "?", "</think>", "\n", "Ten"})}}},
       {"finish_reason", "stop"}},
      // Scores of thoughts that are not in the content.
      {{"message", {{"content", "Ten"}, {"reasoning_content", "Seven?"}}},
       {"logprobs", {{"content", scored({"Seven", "?", "Ten"})}}},
       {"finish_reason", "stop"}}};
  FakeChatServer server([&](int number, const auto&, auto& response) {
    FakeChatServer::json(response, {{"choices", {choices[static_cast<std::size_t>(number)]}}});
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const models::Reply in_text = generator.generate(ask("?"), {});
  ASSERT_EQ(in_text.tokens.size(), 2u);  // the line break and the word
  EXPECT_EQ(in_text.tokens.back().log_probability, -0.25);
  EXPECT_EQ(in_text.thought_tokens, 4);
  const models::Reply apart = generator.generate(ask("?"), {});
  ASSERT_EQ(apart.tokens.size(), 1u);
  EXPECT_EQ(apart.tokens.front().log_probability, -0.25);
  EXPECT_EQ(apart.thought_tokens, 2);
}

TEST(OpenAi, RepliesWithoutTextSayWhy) {
  const std::vector<std::pair<Json, const char*>> messages = {
      {{{"content", ""}}, "stop"},
      {{{"content", nullptr}, {"reasoning_content", "I think so long"}}, "stop"},
      {{{"content", "<think>and I go on"}}, "length"}};
  FakeChatServer server([&](int number, const auto&, auto& response) {
    const auto& [message, reason] = messages[static_cast<std::size_t>(number)];
    FakeChatServer::json(response,
                         {{"choices", {{{"message", message}, {"finish_reason", reason}}}},
                          {"usage", {{"prompt_tokens", 9}, {"completion_tokens", 256}}}});
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  EXPECT_EQ(models::why_empty(generator.generate(ask("?"), {})), "the reply is empty");
  EXPECT_EQ(models::why_empty(generator.generate(ask("?"), {})),
            "the reply is empty: 256 tokens went into thinking; turn thinking off, or allow more "
            "tokens");
  const models::Reply cut = generator.generate(ask("?"), {});
  EXPECT_EQ(cut.text, "");
  EXPECT_EQ(models::why_empty(cut),
            "the reply is empty: 256 tokens went into thinking, until the limit of tokens was "
            "reached; turn thinking off, or allow more tokens");
}

TEST(OpenAi, ContentMayBeAListOfParts) {
  const Json parts = {{{"type", "text"}, {"text", "Ten "}}, {{"type", "text"}, {"text", "pages."}}};
  FakeChatServer server([&](int number, const auto&, auto& response) {
    const Json message = {{"content", parts}};
    const Json choice = {
        {"index", 0}, {number == 0 ? "message" : "delta", message}, {"finish_reason", "stop"}};
    const Json body = {{"choices", {choice}}};
    if (number == 0) {
      FakeChatServer::json(response, body);
    } else {
      FakeChatServer::stream(response, "data: " + dump_json(body) + "\n\n");
    }
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(generator.generate(ask("?"), {}).text, "Ten pages.");
}

// An empty reply does not mean that the server ignores schemas.
TEST(OpenAi, AnEmptyReplyIsNotAskedForInAnotherForm) {
  FakeChatServer server([](int, const auto&, auto& response) {
    FakeChatServer::stream(response, fields("reasoning", {"hm"}) + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const auto schema = grammar::JsonSchema::parse(R"({"type": "integer"})");
  EXPECT_EQ(generator.generate_json(ask("?"), schema, {}).text, "");
  EXPECT_EQ(server.calls(), 1);
}

TEST(OpenAi, SystemThenPagesThenQuestion) {
  FakeChatServer server([](int, const auto&, auto& response) {
    FakeChatServer::stream(response, piece("x") + ending());
  });
  const auto sent = std::make_shared<SentPages>();
  Waits waits;
  const OpenAiGenerator png(parse_address(server.spec()), {.sent = sent}, waits.waiting());
  const OpenAiGenerator jpeg(parse_address(server.spec()),
                             {.pictures = PictureFormat::jpeg, .sent = sent}, waits.waiting());
  models::Request request;
  request.messages.push_back({models::Role::system, "Be brief.", {}});
  request.messages.push_back({models::Role::user, "Which is newer?", {0, 1}});
  for (int i = 0; i < 2; ++i) {
    request.images.push_back(Image{5, 3, 3, std::vector<std::uint8_t>(45, 40 * i)});
  }
  request.pages = {"report.pdf:3"};
  png.generate(request, {});
  jpeg.generate(request, {});
  const Json messages = server.body(0).at("messages");
  EXPECT_EQ(messages.at(0), Json({{"role", "system"}, {"content", "Be brief."}}));
  const Json content = messages.at(1).at("content");
  ASSERT_EQ(content.size(), 3u);
  EXPECT_EQ(content.at(2), Json({{"type", "text"}, {"text", "Which is newer?"}}));
  const std::string url = content.at(1).at("image_url").at("url");
  EXPECT_TRUE(url.starts_with("data:image/png;base64,iVBORw0KGgo"));
  EXPECT_EQ((url.size() - std::string("data:image/png;base64,").size()) % 4, 0u);
  const std::string second =
      server.body(1).at("messages").at(1).at("content").at(0).at("image_url").at("url");
  EXPECT_TRUE(second.starts_with("data:image/jpeg;base64,/9j/"));
  const std::vector<SentPage> pages = sent->list();
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].page, "(unnamed)");
  EXPECT_EQ(pages[1].page, "report.pdf:3");
  EXPECT_EQ(pages[1].count, 2);
  EXPECT_EQ(pages[1].host, png.remote());
}

TEST(OpenAi, LogProbabilitiesAndTheLeastEntropy) {
  const Json top = {{{"token", "a"}, {"logprob", std::log(0.5)}},
                    {{"token", "b"}, {"logprob", std::log(0.25)}}};
  const Json token = {{"token", "a"}, {"logprob", std::log(0.5)}, {"top_logprobs", top}};
  const Json event = {{"choices",
                       {{{"index", 0},
                         {"delta", {{"content", "a"}}},
                         {"logprobs", {{"content", Json::array({token})}}},
                         {"finish_reason", "stop"}}}}};
  FakeChatServer server([&](int, const auto&, auto& response) {
    FakeChatServer::stream(response, "data: " + dump_json(event) + "\n\n");
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const models::Reply reply = generator.generate(ask("x"), {});
  EXPECT_EQ(server.body(0).at("top_logprobs"), 20);
  ASSERT_EQ(reply.tokens.size(), 1u);
  EXPECT_DOUBLE_EQ(reply.tokens[0].log_probability, std::log(0.5));
  // 1/2, 1/4, and one more of 1/4.
  EXPECT_NEAR(reply.tokens[0].entropy, 0.5 * std::log(2) + 0.5 * std::log(4), 1e-12);
  EXPECT_TRUE(std::isnan(reply.tokens[0].top_entropy));  // two are too few
  EXPECT_TRUE(std::isnan(least_entropy({})));
}

TEST(OpenAi, TooManyRequestsWaitAsLongAsTheServerSays) {
  FakeChatServer server([](int number, const auto&, auto& response) {
    response.status = 429;
    if (number == 0) response.set_header("Retry-After", "7");
    if (number == 1) response.set_header("Retry-After", "Sun, 01 Mar 2026 00:01:30 GMT");
    if (number < 3) return;
    response.status = 200;
    FakeChatServer::stream(response, piece("ok") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  EXPECT_EQ(generator.generate(ask("x"), {}).text, "ok");
  const std::vector<std::chrono::milliseconds> expected = {7s, 90s, 1500ms};
  EXPECT_EQ(waits.pauses, expected);
}

TEST(OpenAi, APauseOfHoursIsRefused) {
  FakeChatServer server([](int, const auto&, auto& response) {
    response.status = 429;
    response.set_header("Retry-After", "7200");
    response.set_content(R"({"error": {"message": "quota used up"}})", "application/json");
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const Error error = error_of([&] { generator.generate(ask("x"), {}); });
  EXPECT_EQ(error.code(), ErrorCode::model);
  EXPECT_TRUE(has(error, "quota used up")) << error.what();
  EXPECT_TRUE(has(error, "7200")) << error.what();
  EXPECT_EQ(server.calls(), 1);
}

TEST(OpenAi, PausesGrowUntilTheAttemptsAreUsedUp) {
  FakeChatServer server([](int, const auto&, auto& response) { response.status = 503; });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {.retries = 3}, waits.waiting());
  const Error error = error_of([&] { generator.generate(ask("x"), {}); });
  EXPECT_EQ(error.code(), ErrorCode::model);
  EXPECT_TRUE(has(error, "503")) << error.what();
  const std::vector<std::chrono::milliseconds> expected = {375ms, 750ms, 1500ms};
  EXPECT_EQ(waits.pauses, expected);
  EXPECT_EQ(server.calls(), 4);
}

TEST(OpenAi, AServerThatFailsAtACallIsNotOneThatIsGone) {
  using Response = httplib::Response;
  const std::vector<std::function<void(Response&)>> failures = {
      [](Response& response) { response.status = 500; },
      [](Response& response) { FakeChatServer::stream(response, "data: {\"choices\": [{\n\n"); },
      [](Response& response) { FakeChatServer::stream(response, piece("cut off")); },
      [](Response& response) {
        response.set_content_provider(1000, "text/event-stream",
                                      [](std::size_t, std::size_t, httplib::DataSink& sink) {
                                        sink.write("data: ", 6);
                                        return false;
                                      });
      }};
  for (std::size_t i = 0; i < failures.size(); ++i) {
    FakeChatServer server([&](int, const auto&, auto& response) { failures[i](response); });
    Waits waits;
    const OpenAiGenerator generator(parse_address(server.spec()), {.retries = 2}, waits.waiting());
    const Error error = error_of([&] { generator.generate(ask("x"), {}); });
    EXPECT_EQ(error.code(), ErrorCode::no_reply) << i << ": " << error.what();
    EXPECT_EQ(server.calls(), 3) << i;
  }
}

TEST(OpenAi, RefusalsAreNotRepeatedAndKeepTheKey) {
  for (const auto& [status, code, part] :
       std::vector<std::tuple<int, ErrorCode, std::string>>{{401, ErrorCode::model, "API key"},
                                                            {403, ErrorCode::model, "API key"},
                                                            {404, ErrorCode::model, "tiny"},
                                                            {400, ErrorCode::input, "too long"},
                                                            {413, ErrorCode::input, "413"}}) {
    FakeChatServer server([&, code_sent = status](int, const auto&, auto& response) {
      response.status = code_sent;
      response.set_content(R"({"error": {"message": "key sk-77 and 4096 tokens: too long"}})",
                           "application/json");
    });
    Waits waits;
    const OpenAiGenerator generator(parse_address(server.spec()), {.api_key = "sk-77"},
                                    waits.waiting());
    const Error error = error_of([&] { generator.generate(ask("x"), {}); });
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_TRUE(has(error, part)) << error.what();
    EXPECT_FALSE(has(error, "sk-77")) << error.what();
    EXPECT_EQ(server.calls(), 1) << status;
  }
}

TEST(OpenAi, WhateverTheServerSaysTheKeyIsNotShown) {
  const std::string key = "sk-" + std::string(160, '7');
  const std::string told = std::string(200, 'x') + " key " + key + " is not accepted";
  for (const int status : {401, 429, 200, 302}) {
    FakeChatServer server([&](int, const auto&, auto& response) {
      response.status = status;
      const std::string body = dump_json({{"error", {{"message", told}}}});
      if (status == 302) response.set_header("Location", "https://elsewhere/" + key);
      if (status == 200) return FakeChatServer::stream(response, "data: " + body + "\n\n");
      response.set_content(body, "application/json");
    });
    Waits waits;
    const OpenAiGenerator generator(parse_address(server.spec()), {.api_key = key, .retries = 0},
                                    waits.waiting());
    const Error error = error_of([&] { generator.generate(ask("x"), {}); });
    EXPECT_FALSE(has(error, "sk-7")) << error.what();
    EXPECT_TRUE(has(error, "***")) << error.what();
  }
}

TEST(OpenAi, AKeyMayBeOfAsterisks) {
  for (const char* key : {"*", "**", "***"}) {
    FakeChatServer server([](int, const auto&, auto& response) {
      response.status = 401;
      response.set_content("Incorrect API key provided: ***", "text/plain");
    });
    Waits waits;
    const OpenAiGenerator generator(parse_address(server.spec()), {.api_key = key},
                                    waits.waiting());
    EXPECT_TRUE(has(error_of([&] { generator.generate(ask("x"), {}); }), "Incorrect")) << key;
  }
}

TEST(OpenAi, AReplyWithoutEndIsGivenUp) {
  for (const char* type : {"application/json", "text/event-stream", "text/html"}) {
    FakeChatServer server([&](int, const auto&, auto& response) {
      response.set_chunked_content_provider(type, [](std::size_t, httplib::DataSink& sink) {
        const std::string much = ": " + std::string(1 << 20, ' ') + "\n";
        return sink.write(much.data(), much.size());
      });
    });
    Waits waits;
    const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
    const Error error = error_of([&] { generator.generate(ask("x"), {}); });
    EXPECT_TRUE(has(error, type == std::string("text/html") ? "web page" : "64 MiB"))
        << error.what();
    EXPECT_EQ(server.calls(), 1);
  }
}

TEST(OpenAi, PagesAreCountedAsOftenAsTheyLeave) {
  models::Request request = ask("x");
  request.images.push_back(Image{5, 3, 3, std::vector<std::uint8_t>(45, 40)});
  request.messages.back().images = {0};
  request.pages = {"report.pdf:3"};
  const auto sent = std::make_shared<SentPages>();
  Waits waits;
  std::string spec;
  {
    FakeChatServer server([](int number, const auto&, auto& response) {
      if (number < 2) return FakeChatServer::stream(response, piece("cut off"));
      FakeChatServer::stream(response, piece("whole") + ending());
    });
    spec = server.spec();
    OpenAiGenerator(parse_address(spec), {.sent = sent}, waits.waiting()).generate(request, {});
  }
  ASSERT_EQ(sent->list().size(), 1u);
  EXPECT_EQ(sent->list()[0].count, 3);
  const OpenAiGenerator later(parse_address(spec), {.retries = 2, .sent = sent}, waits.waiting());
  EXPECT_TRUE(has(error_of([&] { later.generate(request, {}); }), "cannot be reached"));
  EXPECT_EQ(sent->list()[0].count, 3);
}

// Sends `first`, then breaks the connection.
void break_after(httplib::Response& response, const std::string& first) {
  response.set_chunked_content_provider("text/event-stream",
                                        [first](std::size_t offset, httplib::DataSink& sink) {
                                          if (offset > 0) return false;
                                          sink.write(first.data(), first.size());
                                          return true;
                                        });
}

TEST(OpenAi, AReplyThatBrokeOffIsRepeatedAndGoesOn) {
  FakeChatServer server([](int number, const auto&, auto& response) {
    if (number == 0) return break_after(response, piece("One, ") + piece("two"));
    FakeChatServer::stream(response, piece("One, two, three") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  std::vector<std::string> shown;
  models::SamplingOptions options;
  options.on_text = [&](std::string_view text) { shown.emplace_back(text); };
  EXPECT_EQ(generator.generate(ask("x"), options).text, "One, two, three");
  const std::vector<std::string> expected = {"One, ", "two", ", three"};
  EXPECT_EQ(shown, expected);
  EXPECT_EQ(waits.pauses.size(), 1u);
}

TEST(OpenAi, ARepeatedReplyThatBeginsOtherwiseIsAnError) {
  FakeChatServer server([](int number, const auto&, auto& response) {
    if (number == 0) return break_after(response, piece("One, "));
    FakeChatServer::stream(response, piece("Uno") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  models::SamplingOptions options;
  options.on_text = [](std::string_view) {};
  EXPECT_TRUE(
      has(error_of([&] { generator.generate(ask("x"), options); }), "begins with different text"));
  EXPECT_EQ(generator.generate(ask("x"), {}).text, "Uno");  // nobody had seen the first one
}

TEST(OpenAi, BrokenRepliesAreRepeated) {
  for (const std::string& broken :
       {std::string("data: {\"choices\": [{\n\n"), piece("cut off"), std::string(),
        std::string("data: {\"error\": {\"message\": \"the engine died\"}}\n\n"),
        std::string("data: {\"error\": {\"message\": \"the engine died\"}, \"choices\": "
                    "[{\"delta\": {\"content\": \"\"}, \"finish_reason\": \"error\"}]}\n\n"),
        std::string("data: {\"error\": \"the engine died\", \"choices\": []}\n\n"),
        std::string("data: {\"choices\": [{\"delta\": {}, \"finish_reason\": \"abort\"}]}\n\n"),
        std::string("data: [1, 2]\n\ndata: [DONE]\n\n")}) {
    FakeChatServer server([&](int number, const auto&, auto& response) {
      FakeChatServer::stream(response, number == 0 ? broken : piece("whole") + ending());
    });
    Waits waits;
    const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
    EXPECT_EQ(generator.generate(ask("x"), {}).text, "whole") << broken;
    EXPECT_EQ(waits.pauses.size(), 1u);
    const OpenAiGenerator once(parse_address(server.spec()), {.retries = 0}, waits.waiting());
    EXPECT_EQ(once.generate(ask("x"), {}).text, "whole");
  }
}

TEST(OpenAi, AServerThatDoesNotStreamAndOneThatIsNone) {
  FakeChatServer server([](int number, const auto&, auto& response) {
    if (number == 0) {
      response.set_content(R"({"choices": [{"message": {"content": "all at once"},
                                "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}})",
                           "application/json");
    } else {
      response.set_content("<html>Welcome</html>", "text/html");
    }
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const models::Reply reply = generator.generate(ask("x"), {});
  EXPECT_EQ(reply.text, "all at once");
  EXPECT_EQ(reply.prompt_tokens, 3);
  EXPECT_TRUE(has(error_of([&] { generator.generate(ask("x"), {}); }), "web page"));
  EXPECT_EQ(server.calls(), 2);
}

TEST(OpenAi, BytesThatAreNoUtf8BecomeReplacements) {
  FakeChatServer server([](int, const auto&, auto& response) {
    FakeChatServer::stream(response,
                           "data: {\"choices\": [{\"delta\": {\"content\": \"caf\xe9 au\"}, "
                           "\"finish_reason\": \"stop\"}]}\n\n");
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  EXPECT_EQ(generator.generate(ask("x"), {}).text, "caf\xef\xbf\xbd au");
  EXPECT_TRUE(waits.pauses.empty());
}

TEST(OpenAi, StopStringsThatTheServerDoesNotKnow) {
  FakeChatServer server([](int, const auto&, auto& response) {
    FakeChatServer::stream(response, piece("yes. E") + piece("ND and more") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  models::SamplingOptions options;
  options.stop = {"1", "2", "3", "4", "END"};
  std::string shown;
  options.on_text = [&](std::string_view text) { shown += text; };
  const models::Reply reply = generator.generate(ask("x"), options);
  EXPECT_EQ(reply.text, "yes. ");
  EXPECT_EQ(shown, "yes. ");
  EXPECT_EQ(reply.finish, models::Finish::stop_text);
  EXPECT_EQ(server.body(0).at("stop").size(), 4u);
}

// Events one after the other with a pause before each.
void slowly(httplib::Response& response, std::vector<std::string> events,
            std::chrono::milliseconds pause, std::atomic<bool>* gone = nullptr) {
  response.set_chunked_content_provider(
      "text/event-stream", [events = std::move(events), pause, gone, i = std::size_t{0}](
                               std::size_t, httplib::DataSink& sink) mutable {
        std::this_thread::sleep_for(pause);
        if (i == events.size()) {
          sink.done();
          return true;
        }
        const bool there = sink.write(events[i].data(), events[i].size());
        if (!there && gone != nullptr) *gone = true;
        ++i;
        return there;
      });
}

TEST(OpenAi, ASlowStreamIsFineAndItsPiecesComeAtOnce) {
  FakeChatServer server([](int, const auto&, auto& response) {
    slowly(response, {piece("a"), piece("b"), piece("c"), ending()}, 60ms);
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {.call_timeout = 5s},
                                  waits.waiting());
  std::vector<std::chrono::steady_clock::time_point> times;
  models::SamplingOptions options;
  options.on_text = [&](std::string_view) { times.push_back(std::chrono::steady_clock::now()); };
  const models::Reply reply = generator.generate(ask("x"), options);
  EXPECT_EQ(reply.text, "abc");
  ASSERT_EQ(times.size(), 3u);
  EXPECT_GT(times[2] - times[0], 90ms);
  EXPECT_GT(reply.decode_ms, 90);
}

TEST(OpenAi, TimeIsUpInTheMiddleAndBeforeTheFirstByte) {
  FakeChatServer server([](int number, const auto&, auto& response) {
    if (number % 2 == 0) return slowly(response, {100, piece("a")}, 50ms);
    std::this_thread::sleep_for(800ms);
    FakeChatServer::stream(response, piece("late") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()),
                                  {.call_timeout = 300ms, .retries = 1}, waits.waiting());
  const auto start = std::chrono::steady_clock::now();
  const Error error = error_of([&] { generator.generate(ask("x"), {}); });
  EXPECT_EQ(error.code(), ErrorCode::timed_out) << error.what();
  EXPECT_TRUE(has(error, "0.3 s")) << error.what();
  EXPECT_EQ(server.calls(), 2);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
}

TEST(OpenAi, TimeIsUpInAReplyOfUntoldLength) {
  FakeChatServer server([](int, const auto&, auto& response) {
    response.set_content_provider("text/event-stream",
                                  [](std::size_t offset, httplib::DataSink& sink) {
                                    const std::string event = piece("a");
                                    if (offset > 0) std::this_thread::sleep_for(700ms);
                                    return sink.write(event.data(), event.size());
                                  });
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()),
                                  {.call_timeout = 200ms, .retries = 0}, waits.waiting());
  const Error error = error_of([&] { generator.generate(ask("x"), {}); });
  EXPECT_EQ(error.code(), ErrorCode::timed_out) << error.what();
}

TEST(OpenAi, NobodyThereIsToldAtOnce) {
  int port = 0;
  {
    FakeChatServer server([](int, const auto&, auto&) {});
    port = server.port();
  }
  Waits waits;
  const OpenAiGenerator generator(parse_address(format("openai:http://127.0.0.1:{}/v1#m", port)),
                                  {.retries = 2}, waits.waiting());
  const Error error = error_of([&] { generator.generate(ask("x"), {}); });
  EXPECT_EQ(error.code(), ErrorCode::model);
  EXPECT_TRUE(has(error, "cannot be reached")) << error.what();
  EXPECT_TRUE(waits.pauses.empty());
}

TEST(OpenAi, AServerThatWasThereMayComeBack) {
  auto server = std::make_unique<FakeChatServer>([](int, const auto&, auto& response) {
    FakeChatServer::stream(response, piece("here") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server->spec()), {.retries = 2}, waits.waiting());
  EXPECT_EQ(generator.generate(ask("x"), {}).text, "here");
  server.reset();
  const Error error = error_of([&] { generator.generate(ask("x"), {}); });
  EXPECT_TRUE(has(error, "cannot be reached")) << error.what();
  EXPECT_EQ(waits.pauses.size(), 2u);
}

TEST(OpenAi, CancellingEndsTheCallAndTheServerNotices) {
  std::atomic<bool> gone = false;
  FakeChatServer server([&](int, const auto&, auto& response) {
    slowly(response, std::vector<std::string>(200, piece("a")), 20ms, &gone);
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const StopSource source;
  models::SamplingOptions options;
  options.stop_token = source.token();
  options.on_text = [&](std::string_view) { source.request_stop(); };
  const auto start = std::chrono::steady_clock::now();
  const models::Reply reply = generator.generate(ask("x"), options);
  EXPECT_EQ(reply.finish, models::Finish::cancelled);
  EXPECT_TRUE(reply.text.starts_with("a"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  for (int i = 0; i < 100 && !gone; ++i) std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(gone);
}

TEST(OpenAi, AnInterruptEndsAWaitingCall) {
  std::atomic<bool> release = false;
  FakeChatServer server([&](int, const auto&, auto&) {
    for (int i = 0; i < 200 && !release; ++i) std::this_thread::sleep_for(10ms);
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  std::thread later([] {
    std::this_thread::sleep_for(100ms);
    set_interrupted(true);
  });
  const Error error = error_of([&] { generator.generate(ask("x"), {}); });
  later.join();
  set_interrupted(false);
  release = true;
  EXPECT_EQ(error.code(), ErrorCode::interrupted) << error.what();
  EXPECT_EQ(server.calls(), 1);
}

// Says nothing until it is released or the test has failed.
class SilentServer {
 public:
  SilentServer()
      : server_([this](int, const auto& request, auto& response) {
          if (request.body.find("brief") != std::string::npos) {
            return FakeChatServer::stream(response, piece("done") + ending());
          }
          for (int i = 0; i < 3000 && !released_; ++i) std::this_thread::sleep_for(10ms);
        }) {}
  ~SilentServer() { released_ = true; }

  FakeChatServer& operator*() { return server_; }
  FakeChatServer* operator->() { return &server_; }

 private:
  std::atomic<bool> released_ = false;
  FakeChatServer server_;
};

// How long a call takes behind the moment that its token asks to stop; the server would hold it for
// half a minute.
std::chrono::milliseconds time_to_stop(const models::Generator& generator, models::Reply* reply) {
  const StopSource source;
  std::chrono::steady_clock::time_point asked;
  std::thread later([&] {
    std::this_thread::sleep_for(100ms);
    asked = std::chrono::steady_clock::now();
    source.request_stop();
  });
  models::SamplingOptions options;
  options.stop_token = source.token();
  *reply = generator.generate(ask("x"), options);
  const auto ended = std::chrono::steady_clock::now();
  later.join();
  return std::chrono::duration_cast<std::chrono::milliseconds>(ended - asked);
}

TEST(OpenAi, AStopEndsACallThatHangs) {
  SilentServer server;
  Waits waits;
  const OpenAiGenerator generator(parse_address(server->spec()), {}, waits.waiting());
  models::Reply reply;
  EXPECT_LT(time_to_stop(generator, &reply), 10s);
  EXPECT_EQ(reply.finish, models::Finish::cancelled);
  EXPECT_EQ(server->calls(), 1);
  EXPECT_TRUE(waits.pauses.empty());
}

// A server whose queue of connections is full answers nobody who knocks.
class FullServer {
 public:
  FullServer() : listening_(socket()) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listening_, any, size), 0);
    EXPECT_EQ(::listen(listening_, 0), 0);
    EXPECT_EQ(::getsockname(listening_, any, &size), 0);
    port_ = ntohs(address.sin_port);
    for (int& waiting : waiting_) {
      waiting = socket();
      ::connect(waiting, any, size);
    }
  }
  ~FullServer() {
    for (const int waiting : waiting_) ::close(waiting);
    ::close(listening_);
  }

  std::string spec() const { return format("openai:http://127.0.0.1:{}/v1#m", port_); }

 private:
  static int socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0); }

  int listening_;
  int port_ = 0;
  std::array<int, 4> waiting_{};
};

TEST(OpenAi, AStopEndsACallThatIsStillConnecting) {
  const FullServer server;
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {.connect_timeout = 30s},
                                  waits.waiting());
  models::Reply reply;
  EXPECT_LT(time_to_stop(generator, &reply), 10s);
  EXPECT_EQ(reply.finish, models::Finish::cancelled);
  EXPECT_EQ(reply.text, "");
  EXPECT_TRUE(waits.pauses.empty()) << "it was not the server that failed";
}

TEST(OpenAi, AnInterruptEndsACallThatIsStillConnecting) {
  const FullServer server;
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {.connect_timeout = 30s},
                                  waits.waiting());
  std::thread later([] {
    std::this_thread::sleep_for(100ms);
    set_interrupted(true);
  });
  const auto start = std::chrono::steady_clock::now();
  const Error error = error_of([&] { generator.generate(ask("x"), {}); });
  later.join();
  set_interrupted(false);
  EXPECT_EQ(error.code(), ErrorCode::interrupted) << error.what();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

TEST(OpenAi, AStopEndsThePauseBeforeARetry) {
  FakeChatServer server([](int, const auto&, auto& response) {
    response.status = 503;
    response.set_header("Retry-After", "100");
  });
  const OpenAiGenerator generator(parse_address(server.spec()), {}, real_waiting());
  models::Reply reply;
  EXPECT_LT(time_to_stop(generator, &reply), 10s);
  EXPECT_EQ(reply.finish, models::Finish::cancelled);
  EXPECT_EQ(server.calls(), 1);
}

TEST(OpenAi, OfTwoCallsOneIsStopped) {
  SilentServer server;
  Waits waits;
  const OpenAiGenerator generator(parse_address(server->spec()), {}, waits.waiting());
  models::Reply stopped, ended;
  std::thread one([&] { time_to_stop(generator, &stopped); });
  std::thread other([&] {
    const StopSource never;
    models::SamplingOptions options;
    options.stop_token = never.token();
    ended = generator.generate(ask("brief"), options);
  });
  one.join();
  other.join();
  EXPECT_EQ(stopped.finish, models::Finish::cancelled);
  EXPECT_EQ(ended.finish, models::Finish::end_token);
  EXPECT_EQ(ended.text, "done");
}

TEST(OpenAi, ADeadlineKeepsWhatCame) {
  FakeChatServer server([](int, const auto&, auto& response) {
    slowly(response, std::vector<std::string>(2000, piece("a")), 20ms);
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  models::SamplingOptions options;
  options.stop_token = StopToken().until(StopToken::Clock::now() + 1s);
  const models::Reply reply = generator.generate(ask("x"), options);
  EXPECT_EQ(reply.finish, models::Finish::cancelled);
  EXPECT_TRUE(reply.text.starts_with("a")) << reply.text;
  EXPECT_LT(reply.text.size(), 2000U);
  const std::vector<std::string> words = {"yes", "no"};
  const StopToken late = StopToken().until(StopToken::Clock::now() + 100ms);
  EXPECT_EQ(error_of([&] { generator.choose(ask("x"), words, late); }).code(),
            ErrorCode::timed_out);
}

TEST(OpenAi, WhatOnTextThrowsComesThrough) {
  FakeChatServer server([](int, const auto&, auto& response) {
    FakeChatServer::stream(response, piece("a") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  models::SamplingOptions options;
  options.on_text = [](std::string_view) { throw std::runtime_error("disk full"); };
  EXPECT_THROW(generator.generate(ask("x"), options), std::runtime_error);
}

TEST(OpenAi, RedirectsStayAtTheHost) {
  FakeChatServer other([](int, const auto&, auto& response) {
    FakeChatServer::stream(response, piece("stolen") + ending());
  });
  for (const int status : {301, 302, 307, 308}) {
    FakeChatServer server([&](int, const auto& request, auto& response) {
      if (request.path == "/new/chat")
        return FakeChatServer::stream(response, piece("moved") + ending());
      response.status = status;
      response.set_header("Location", "/new/chat");
    });
    Waits waits;
    const OpenAiGenerator generator(parse_address(server.spec()), {.api_key = "k"},
                                    waits.waiting());
    EXPECT_EQ(generator.generate(ask("x"), {}).text, "moved") << status;
    EXPECT_EQ(server.request(1).get_header_value("Authorization"), "Bearer k");
    EXPECT_EQ(server.body(1), server.body(0));
  }
  FakeChatServer away([&](int, const auto&, auto& response) {
    response.status = 307;
    response.set_header("Location",
                        format("http://127.0.0.1:{}/v1/chat/completions", other.port()));
  });
  FakeChatServer circle([&](int, const auto& request, auto& response) {
    response.status = 307;
    response.set_header("Location", request.path);
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(away.spec()), {.api_key = "k"}, waits.waiting());
  EXPECT_TRUE(has(error_of([&] { generator.generate(ask("x"), {}); }), "redirects to http://127"));
  EXPECT_EQ(other.calls(), 0);
  const OpenAiGenerator round(parse_address(circle.spec()), {}, waits.waiting());
  EXPECT_TRUE(has(error_of([&] { round.generate(ask("x"), {}); }), "redirects"));
  EXPECT_EQ(circle.calls(), 4);
}

const grammar::JsonSchema& answer_schema() {
  static const grammar::JsonSchema schema = grammar::JsonSchema::parse(
      R"({"type": "object", "properties": {"page": {"type": "integer"}}, "required": ["page"],
          "additionalProperties": false})");
  return schema;
}

TEST(OpenAi, ASchemaIsAskedForAndWhatWorksIsRemembered) {
  FakeChatServer server([](int, const auto& request, auto& response) {
    const Json body = parse_json(request.body, "body");
    const Json format = body.value("response_format", Json::object());
    const bool plain = format.empty() && !body.contains("stream_options");
    if (!plain) {
      response.status = 400;
      const char* name = body.contains("stream_options") ? "stream_options" : "response_format";
      response.set_content(dump_json({{"detail", fineprint::format("unknown field {}", name)}}),
                           "application/json");
      return;
    }
    FakeChatServer::stream(response, piece("{\"page\": 4}") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  EXPECT_EQ(generator.generate_json(ask("Where?"), answer_schema(), {}).text, "{\"page\": 4}");
  ASSERT_EQ(server.calls(), 4);  // without stream_options, without a schema, without JSON mode
  EXPECT_EQ(server.body(0).at("response_format").at("type"), "json_schema");
  EXPECT_EQ(server.body(0).at("response_format").at("json_schema").at("schema").at("type"),
            "object");
  EXPECT_EQ(server.body(0).at("messages").at(0).at("content"), "Where?");
  EXPECT_EQ(server.body(2).at("response_format").at("type"), "json_object");
  const std::string words = server.body(3).at("messages").at(0).at("content");
  EXPECT_TRUE(words.starts_with("Where?\n\n"));
  EXPECT_NE(words.find("\"page\""), std::string::npos);
  generator.generate_json(ask("Where?"), answer_schema(), {});
  EXPECT_EQ(server.calls(), 5);
  EXPECT_TRUE(waits.pauses.empty());
}

TEST(OpenAi, ASchemaThatIsRefusedAsAnErrorOfTheServer) {
  FakeChatServer server([](int, const auto& request, auto& response) {
    if (request.body.find("json_schema") == std::string::npos) {
      return FakeChatServer::stream(response, piece("{\"page\": 4}") + ending());
    }
    response.status = 500;
    response.set_content("invalid literal in response_format", "text/plain");
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  EXPECT_EQ(generator.generate_json(ask("x"), answer_schema(), {}).text, "{\"page\": 4}");
  EXPECT_TRUE(waits.pauses.empty());
  EXPECT_EQ(server.body(1).at("response_format").at("type"), "json_object");
}

TEST(OpenAi, ARefusalThatIsNotAboutJsonStaysOne) {
  FakeChatServer server([](int, const auto&, auto& response) {
    response.status = 400;
    response.set_content("prompt too long", "text/plain");
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const Error error = error_of([&] { generator.generate_json(ask("x"), answer_schema(), {}); });
  EXPECT_EQ(error.code(), ErrorCode::input);
  EXPECT_TRUE(has(error, "prompt too long"));
  EXPECT_EQ(server.calls(), 3);
}

TEST(OpenAi, AServerThatIgnoresTheSchemaIsAskedInWords) {
  FakeChatServer server([](int number, const auto&, auto& response) {
    const std::string text = number == 0 ? "It is on page four." : "```json\n{\"page\": 4}\n```";
    FakeChatServer::stream(response, piece(text) + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  std::string shown;
  models::SamplingOptions options;
  options.on_text = [&](std::string_view text) { shown += text; };
  const models::Reply reply = generator.generate_json(ask("Where?"), answer_schema(), options);
  EXPECT_EQ(grammar::json_in_reply(reply.text), "{\"page\": 4}");
  EXPECT_EQ(shown, reply.text);
  EXPECT_EQ(server.calls(), 2);
  generator.generate_json(ask("Where?"), answer_schema(), {});
  EXPECT_EQ(server.calls(), 3);
}

// A server that gives these probabilities for the first token.
FakeChatServer::Answer first_token(const std::vector<std::pair<std::string, double>>& tokens) {
  Json top = Json::array();
  for (const auto& [text, p] : tokens) {
    top.push_back({{"token", text}, {"logprob", p > 0 ? std::log(p) : -9999.0}});
  }
  const Json token = {{"token", tokens.front().first},
                      {"logprob", std::log(tokens.front().second)},
                      {"top_logprobs", top}};
  const Json event = {{"choices",
                       {{{"delta", {{"content", tokens.front().first}}},
                         {"logprobs", {{"content", Json::array({token})}}},
                         {"finish_reason", "length"}}}}};
  return [text = "data: " + dump_json(event) + "\n\n"](int, const auto&, auto& response) {
    FakeChatServer::stream(response, text);
  };
}

TEST(OpenAi, ChoiceByTheFirstToken) {
  FakeChatServer server(
      first_token({{"4", 0.5}, {" 4", 0.1}, {"The", 0.2}, {"2", 0.15}, {"", 0.01}}));
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const std::vector<std::string> marks = {"1", "2", "3", "4", "5"};
  const models::Choice choice = generator.choose(ask("How relevant?"), marks);
  EXPECT_EQ(choice.best, 3u);
  EXPECT_NEAR(choice.probabilities[3], 0.8, 1e-12);
  EXPECT_NEAR(choice.probabilities[1], 0.2, 1e-12);
  EXPECT_EQ(choice.probabilities[0], 0);
  EXPECT_NEAR(choice.log_probabilities[3], std::log(0.6), 1e-12);
  EXPECT_EQ(server.body(0).at("max_tokens"), 1);
  const std::vector<std::string> words = {"yes", "no"};
  EXPECT_TRUE(has(error_of([&] { generator.choose(ask("x"), words); }), "none of the replies"));
  const std::vector<std::string> alike = {"4", "42"};
  EXPECT_TRUE(
      has(error_of([&] { generator.choose(ask("x"), alike); }), "begin with the same token"));
  EXPECT_TRUE(generator.can_choose());  // it is the candidates
}

TEST(OpenAi, ChoiceWithoutProbabilitiesSaysWhatToDo) {
  FakeChatServer server([](int, const auto& request, auto& response) {
    if (request.body.find("logprobs") != std::string::npos) {
      response.status = 422;
      response.set_content(R"({"detail": "Unexpected fields: {'logprobs', 'top_logprobs'}"})",
                           "application/json");
      return;
    }
    FakeChatServer::stream(response, piece("yes") + ending());
  });
  Waits waits;
  const OpenAiGenerator generator(parse_address(server.spec()), {}, waits.waiting());
  const std::vector<std::string> words = {"yes", "no"};
  EXPECT_TRUE(generator.can_choose());
  const Error error = error_of([&] { generator.choose(ask("x"), words); });
  EXPECT_FALSE(generator.can_choose());
  EXPECT_EQ(error.code(), ErrorCode::model);
  EXPECT_TRUE(has(error, "vLLM")) << error.what();
  EXPECT_EQ(server.calls(), 2);
}

TEST(OpenAi, ManyThreads) {
  FakeChatServer server([](int number, const auto& request, auto& response) {
    if (number % 5 == 0) {
      response.status = 503;
      return;
    }
    const Json body = parse_json(request.body, "body");
    FakeChatServer::stream(response, piece(body.at("messages").at(0).at("content")) + ending());
  });
  const OpenAiGenerator generator(
      parse_address(server.spec()), {.retries = 30},
      {[](auto, const auto&) { return true; }, [] { return std::chrono::system_clock::now(); },
       [] { return 0.0; }});
  parallel_for(40, 8, [&](std::size_t i) {
    const std::string text = format("call {}", i);
    EXPECT_EQ(generator.generate(ask(text), {}).text, text);
  });
}

TEST(OpenAi, WhatKeysMayHold) {
  const Error error = error_of([] {
    make_openai_generator("openai:http://localhost:1/v1#m", {.api_key = "sk-1\nX-Evil: 1"});
  });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_FALSE(has(error, "sk-1"));
}

}  // namespace
}  // namespace fineprint::remote
