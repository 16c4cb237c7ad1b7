// Encoders and rerankers on servers, against servers that the tests run.
#include "fineprint/remote/served_models.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/base64.h"
#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "chat_server.h"
#include "remote/served/served_encoder.h"
#include "remote/served/served_reranker.h"
#include "support/has.h"

namespace fineprint::remote {
namespace {

using fineprint::testing::FakeChatServer;
using models::RetrieverKind;
using models::TextRole;

// Does not wait between attempts.
Waiting no_waiting() {
  return {[](std::chrono::milliseconds, const Waiting::Stop& stop) { return !stop(); },
          [] { return std::chrono::system_clock::now(); }, [] { return 0.5; }};
}

// Returns the encoder of a SPEC, whose calls are repeated without pauses.
std::unique_ptr<ServedVectors> encoder_of(const std::string& spec,
                                          const OpenAiOptions& options = {},
                                          const models::GivenPrefixes& given = {}) {
  return std::make_unique<ServedVectors>(
      parse_served(spec), find_served_encoder(spec, given, options), options, no_waiting());
}

std::unique_ptr<ServedScores> reranker_of(const std::string& spec,
                                          const OpenAiOptions& options = {}) {
  return std::make_unique<ServedScores>(parse_served(spec), options, no_waiting());
}

std::vector<Matrix> embed(const models::Encoder& encoder, const std::vector<std::string>& texts,
                          TextRole role = TextRole::passage) {
  return encoder.embed_texts(texts, role);
}

template <class Call>
std::string failure_of(ErrorCode code, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

Json entry(int index, const Json& vector) { return {{"index", index}, {"embedding", vector}}; }

std::string float_base64(const std::vector<float>& values) {
  std::string text;
  append_base64({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * 4}, &text);
  return text;
}

// A server with OpenAI's interface that always sends this reply.
std::unique_ptr<FakeChatServer> server_of(const Json& reply) {
  return std::make_unique<FakeChatServer>(
      [reply](int, const auto&, auto& response) { FakeChatServer::json(response, reply); });
}

TEST(ServedSpec, HasManyForms) {
  for (const char* spec : {"openai:http://a/v1#m", "http://a#m", "lmstudio:m", "ollama:m",
                           "ollama:http://a:1#m", "tei:http://a:8080", "late:openai:http://a/v1#m",
                           "page:http://a#m", "late-text:http://a#m", "text:tei:http://a"}) {
    EXPECT_TRUE(names_served_encoder(spec)) << spec;
  }
  for (const char* spec : {"", "int8:", "models/e5", "page:models/x", "org/name", "script:a"}) {
    EXPECT_FALSE(names_served_encoder(spec)) << spec;
  }
  const ServedAddress ollama = parse_served("ollama:http://a:1/#nomic-embed-text");
  EXPECT_EQ(vectors_path(ollama), "/api/embed");
  EXPECT_EQ(ollama.server.host_and_port(), "a:1");
  EXPECT_EQ(ollama.server.model, "nomic-embed-text");
  EXPECT_EQ(vectors_path(parse_served("tei:https://a/x/#m")), "/x/embed");
  EXPECT_EQ(vectors_path(parse_served("http://a#m")), "/v1/embeddings");
  EXPECT_EQ(vectors_path(parse_served("page:openai:http://a/v1#m")), "/v1/embeddings");
  EXPECT_EQ(vectors_path(parse_served("late:openai:http://a/v1#m")), "/pooling");
  EXPECT_EQ(vectors_path(parse_served("late-text:openai:http://a/x/v1#m")), "/x/pooling");
  EXPECT_EQ(rerank_path(parse_served("openai:https://api.example/v2#m")), "/v2/rerank");
  EXPECT_EQ(rerank_path(parse_served("tei:http://a")), "/rerank");
}

TEST(ServedSpec, RefusesWhatAServerDoesNotGive) {
  for (const char* spec : {"late:tei:http://a", "page:ollama:m", "tei:a:80", "tei:http://u@a"}) {
    failure_of(ErrorCode::usage, [&] { parse_served(spec); });
  }
  const std::string problem =
      failure_of(ErrorCode::usage, [] { check_served_reranker("ollama:bge-reranker"); });
  EXPECT_TRUE(testing::has(problem, "tei:URL")) << problem;
  check_served_reranker("tei:http://nobody.invalid");  // sends nothing
}

// The model is the set's identity: its address may change, its prefix may not.
TEST(ServedSpec, TheHashIsOfTheModel) {
  const auto hash = [](const char* spec, const models::GivenPrefixes& given = {}) {
    return find_served_encoder(spec, given, {}).hash;
  };
  const std::string one = hash("openai:http://a/v1#m");
  EXPECT_EQ(one, hash("tei:https://b:9#m"));
  EXPECT_EQ(one, hash("openai:http://a/v1#m", {.query = "q: ", .passage = ""}));
  EXPECT_NE(one, hash("openai:http://a/v1#n"));
  EXPECT_NE(one, hash("page:openai:http://a/v1#m"));
  EXPECT_NE(one, hash("openai:http://a/v1#m", {.query = "", .passage = "p: "}));
}

TEST(ServedSpec, AMissingNameIsAsked) {
  FakeChatServer server([](int, const auto& request, auto& response) {
    if (request.path == "/info") return FakeChatServer::json(response, {{"model_id", "org/m"}});
    FakeChatServer::json(response, {{"data", {{{"id", "only"}}}}});
  });
  EXPECT_EQ(find_served_encoder("tei:" + server.url(), {}, {}).spec,
            "tei:" + server.url() + "#org/m");
  const ServedEncoder found = find_served_encoder("openai:" + server.url() + "/v1#", {}, {});
  EXPECT_EQ(found.spec, "openai:" + server.url() + "/v1#only");
  EXPECT_EQ(found.name, "only");
  EXPECT_EQ(find_served_encoder("ollama:" + server.url(), {}, {}).name, "only");
  EXPECT_EQ(server.request(2).path, "/v1/models");
}

TEST(ServedEncoders, PutVectorsInTheOrderOfTheTexts) {
  const auto server =
      server_of({{"data", {entry(1, Json::array({0, 5})), entry(0, Json::array({3, 4}))}}});
  const auto encoder = encoder_of(server->spec(), {.api_key = "secret"});
  const std::vector<Matrix> vectors = embed(*encoder, {"a", "b"});
  ASSERT_EQ(vectors.size(), 2U);
  EXPECT_EQ(vectors[0].values, (std::vector<float>{0.6F, 0.8F}));  // 3/5 and 4/5
  EXPECT_EQ(vectors[1].values, (std::vector<float>{0, 1}));
  EXPECT_EQ(encoder->dim(), 2U);
  EXPECT_EQ(encoder->name(), "tiny");
  EXPECT_FALSE(encoder->sees());
  EXPECT_EQ(server->calls(), 1);
  EXPECT_EQ(server->request(0).path, "/v1/embeddings");
  EXPECT_EQ(server->request(0).get_header_value("Authorization"), "Bearer secret");
  EXPECT_EQ(server->body(0), Json({{"model", "tiny"},
                                   {"input", {"a", "b"}},
                                   {"encoding_format", "base64"},
                                   {"truncate_prompt_tokens", -1}}));
}

TEST(ServedEncoders, ReadBase64) {
  const auto server = server_of({{"data", {entry(0, float_base64({-3, 4}))}}});
  EXPECT_EQ(embed(*encoder_of(server->spec()), {"a"})[0].values, (std::vector<float>{-0.6F, 0.8F}));
}

TEST(ServedEncoders, AskOllamaAndTextEmbeddingsInference) {
  const auto ollama = server_of({{"embeddings", {Json::array({2, 0})}}});
  EXPECT_EQ(embed(*encoder_of("ollama:" + ollama->url() + "#m"), {"a"})[0].values,
            (std::vector<float>{1, 0}));
  EXPECT_EQ(ollama->request(0).path, "/api/embed");
  EXPECT_EQ(ollama->body(0),
            Json({{"model", "m"}, {"input", Json::array({"a"})}, {"truncate", true}}));
  const auto tei = server_of(Json::array({Json::array({0, 2}), Json::array({2, 0})}));
  EXPECT_EQ(embed(*encoder_of("tei:" + tei->url() + "#m"), {"a", "b"})[1].values,
            (std::vector<float>{1, 0}));
  EXPECT_EQ(tei->request(0).path, "/embed");
  EXPECT_EQ(tei->body(0), Json({{"inputs", {"a", "b"}}, {"normalize", true}, {"truncate", true}}));
}

TEST(ServedEncoders, PutPrefixesBeforeTexts) {
  const auto server = server_of({{"data", {entry(0, Json::array({1, 1}))}}});
  const std::string spec = "openai:" + server->url() + "/v1#intfloat/e5-base-v2";
  const auto known = encoder_of(spec);
  embed(*known, {"a"}, TextRole::query);
  embed(*known, {"a"}, TextRole::passage);
  embed(*encoder_of(spec, {}, {.query = "none", .passage = "P "}), {"a"}, TextRole::query);
  embed(*encoder_of(spec, {}, {.query = "none", .passage = "P "}), {"a"}, TextRole::passage);
  const std::vector<std::string> expected = {"query: a", "passage: a", "a", "P a"};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(server->body(i).at("input"), Json::array({expected[static_cast<std::size_t>(i)]}));
  }
}

// 32 texts a call; a refused batch is sent again in halves, and the next ones stay small.
TEST(ServedEncoders, SendBatchesThatTheServerAccepts) {
  std::vector<std::size_t> sizes;
  FakeChatServer server([&](int, const auto& request, auto& response) {
    const Json texts = parse_json(request.body, "body").at("inputs");
    sizes.push_back(texts.size());
    if (texts.size() > 10) {
      response.status = 413;
      return FakeChatServer::json(response,
                                  {{"error", "batch size > maximum allowed batch size 10"}});
    }
    Json reply = Json::array();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      reply.push_back(Json::array({1, std::stoi(texts[i].template get<std::string>())}));
    }
    FakeChatServer::json(response, reply);
  });
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) texts.push_back(std::to_string(i));
  const std::vector<Matrix> vectors = embed(*encoder_of("tei:" + server.url() + "#m"), texts);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{32, 16, 8, 8, 8, 8, 8}));
  ASSERT_EQ(vectors.size(), 40U);
  EXPECT_NEAR(vectors[39].values[1] / vectors[39].values[0], 39, 1e-3);
}

TEST(ServedEncoders, LeaveOutFieldsThatAServerRefuses) {
  FakeChatServer server([](int, const auto& request, auto& response) {
    for (const char* field : {"truncate_prompt_tokens", "encoding_format"}) {
      if (!testing::has(request.body, field)) continue;
      response.status = 400;
      return FakeChatServer::json(
          response, {{"error", {{"message", format("unknown argument: {}", field)}}}});
    }
    FakeChatServer::json(response, {{"data", {entry(0, Json::array({1, 0}))}}});
  });
  const auto encoder = encoder_of(server.spec());
  embed(*encoder, {"a"});
  EXPECT_EQ(server.calls(), 3);
  embed(*encoder, {"a"});
  EXPECT_EQ(server.calls(), 4);  // remembered
  EXPECT_EQ(server.body(3), Json({{"model", "tiny"}, {"input", Json::array({"a"})}}));
}

TEST(ServedEncoders, ARefusedTextIsQuoted) {
  FakeChatServer server([](int, const auto&, auto& response) {
    response.status = 422;
    FakeChatServer::json(response, {{"error", "inputs cannot be empty"}});
  });
  const auto encoder = encoder_of("tei:" + server.url() + "#m");
  const std::string problem =
      failure_of(ErrorCode::input, [&] { embed(*encoder, {"a text", "b"}); });
  EXPECT_TRUE(testing::has(problem, "inputs cannot be empty")) << problem;
  EXPECT_TRUE(testing::has(problem, "\"a text\"")) << problem;
}

TEST(ServedEncoders, RepeatWhatMayPass) {
  FakeChatServer server([](int number, const auto&, auto& response) {
    if (number == 0) response.status = 500;
    if (number == 1) response.status = 429;
    if (number == 2) return response.set_content("{\"data\": [", "application/json");
    FakeChatServer::json(response, {{"data", {entry(0, Json::array({1, 0}))}}});
  });
  EXPECT_EQ(embed(*encoder_of(server.spec()), {"a"}).size(), 1U);
  EXPECT_EQ(server.calls(), 4);
  FakeChatServer busy([](int, const auto&, auto& response) { response.status = 503; });
  const auto encoder = encoder_of(busy.spec(), {.retries = 2});
  const std::string problem = failure_of(ErrorCode::model, [&] { embed(*encoder, {"a"}); });
  EXPECT_TRUE(testing::has(problem, "attempt 3 of 3")) << problem;
  EXPECT_EQ(busy.calls(), 3);
}

TEST(ServedEncoders, RefuseVectorsThatAreNone) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::pair<Json, const char*>> replies = {
      {{{"data", {entry(0, Json::array({1, 0}))}}}, "1 vectors instead of 2"},
      {{{"data", {entry(0, Json::array({1})), entry(0, Json::array({1}))}}}, "there twice"},
      {{{"data", {entry(0, Json::array({1})), entry(2, Json::array({1}))}}}, "out of range"},
      {{{"data", {entry(0, Json::array({1})), entry(-1, Json::array({1}))}}}, "out of range"},
      {{{"data", {entry(0, Json::array({1, nullptr})), entry(1, Json::array({1, 1}))}}}, "null"},
      {{{"data", {entry(0, Json::array({0, 0})), entry(1, Json::array({1, 1}))}}}, "are 0"},
      {{{"data", {entry(0, float_base64({1, nan})), entry(1, float_base64({1, 1}))}}}, "finite"},
      {{{"data", {entry(0, "AAA"), entry(1, "AAA")}}}, "base64"},
      {{{"data", {entry(0, Json::array()), entry(1, Json::array())}}}, "empty"},
      {{{"data", {entry(0, Json::array({1, 1})), entry(1, Json::array({1}))}}}, "of 1 values"},
      {{{"error", {{"message", "not an embedding model"}}}}, "not an embedding model"},
      {{{"choices", Json::array()}}, "no list of vectors"}};
  for (const auto& [reply, part] : replies) {
    const auto server = server_of(reply);
    const auto encoder = encoder_of(server->spec());
    const std::string problem = failure_of(ErrorCode::model, [&] { embed(*encoder, {"a", "b"}); });
    EXPECT_TRUE(testing::has(problem, part)) << dump_json(reply) << "\n" << problem;
    EXPECT_TRUE(testing::has(problem, "127.0.0.1")) << problem;
    EXPECT_EQ(server->calls(), 1) << dump_json(reply);
  }
  FakeChatServer server([](int, const auto&, auto& response) {
    response.set_content("{\"data\": [{\"index\": 0, \"embedding\": [NaN]}]}", "application/json");
  });
  const std::string problem =
      failure_of(ErrorCode::model, [&] { embed(*encoder_of(server.spec()), {"a"}); });
  EXPECT_TRUE(testing::has(problem, "NaN")) << problem;
  EXPECT_EQ(server.calls(), 1);
}

TEST(ServedEncoders, NoticeAnotherLengthLater) {
  FakeChatServer server([](int number, const auto&, auto& response) {
    const Json vector = number == 0 ? Json::array({1, 0}) : Json::array({1, 0, 0});
    FakeChatServer::json(response, {{"data", {entry(0, vector)}}});
  });
  const auto encoder = encoder_of(server.spec());
  EXPECT_EQ(encoder->dim(), 2U);  // asks
  const std::string problem = failure_of(ErrorCode::model, [&] { embed(*encoder, {"a"}); });
  EXPECT_TRUE(testing::has(problem, "3 values")) << problem;
  EXPECT_TRUE(testing::has(problem, "earlier ones had 2")) << problem;
}

TEST(ServedEncoders, ShowPagesAsMessages) {
  const auto server = server_of({{"data", {entry(0, Json::array({0, 3}))}}});
  const auto sent = std::make_shared<SentPages>();
  const auto encoder = encoder_of("page:openai:" + server->url() + "/v1#dse", {.sent = sent},
                                  {.query = "", .passage = "What is shown?"});
  EXPECT_TRUE(encoder->sees());
  EXPECT_FALSE(encoder->many_vectors());
  const Image page{5, 3, 3, std::vector<std::uint8_t>(45, 40)};
  EXPECT_EQ(encoder->embed_images({&page, 1})[0].values, (std::vector<float>{0, 1}));
  EXPECT_EQ(embed(*encoder, {"net sales"}, TextRole::query).size(), 1U);
  const Json parts = server->body(0).at("messages").at(0).at("content");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_TRUE(parts.at(0)
                  .at("image_url")
                  .at("url")
                  .get<std::string>()
                  .starts_with("data:image/png;base64,iVBORw0KGgo"));
  EXPECT_EQ(parts.at(1), Json({{"type", "text"}, {"text", "What is shown?"}}));
  EXPECT_FALSE(server->body(0).contains("input"));
  EXPECT_EQ(server->body(1).at("messages").at(0).at("content"),
            Json::array({Json({{"type", "text"}, {"text", "net sales"}})}));
  ASSERT_EQ(sent->list().size(), 2U);
  EXPECT_EQ(sent->list()[1].page, "(unnamed)");
  const auto texts = encoder_of("openai:" + server->url() + "/v1#m");
  failure_of(ErrorCode::usage, [&] { texts->embed_images({&page, 1}); });
}

TEST(ServedEncoders, ReadTheVectorsOfTokens) {
  const Json rows = Json::array({Json::array({3, 4}), Json::array({0, 2}), Json::array({1, 0})});
  const auto server = server_of({{"data", {{{"index", 0}, {"data", rows}}}}});
  const auto encoder = encoder_of("late:openai:" + server->url() + "/v1#colqwen");
  EXPECT_TRUE(encoder->sees());
  EXPECT_TRUE(encoder->many_vectors());
  const Image page{5, 3, 3, std::vector<std::uint8_t>(45, 40)};
  const Matrix vectors = encoder->embed_images({&page, 1})[0];
  EXPECT_EQ(vectors.rows, 3U);
  EXPECT_EQ(vectors.values, (std::vector<float>{0.6F, 0.8F, 0, 1, 1, 0}));
  EXPECT_EQ(server->request(0).path, "/pooling");
  EXPECT_EQ(server->body(0).at("task"), "token_embed");
  EXPECT_EQ(embed(*encoder, {"q"}, TextRole::query)[0].rows, 3U);
  EXPECT_EQ(server->body(1).at("input"), Json::array({"q"}));
  const auto pooled = server_of({{"data", {{{"index", 0}, {"data", Json::array({1, 0})}}}}});
  const auto wrong = encoder_of("late-text:openai:" + pooled->url() + "/v1#m");
  const std::string problem = failure_of(ErrorCode::model, [&] { embed(*wrong, {"a"}); });
  EXPECT_TRUE(testing::has(problem, "leave out late:")) << problem;
}

Json result(int index, const char* name, double score) { return {{"index", index}, {name, score}}; }

TEST(ServedRerankers, PutScoresInTheOrderOfThePassages) {
  const auto openai = server_of(
      {{"results", {result(1, "relevance_score", 0.75), result(0, "relevance_score", 0.25)}}});
  const std::vector<std::string> passages = {"a", "b"};
  const auto reranker = reranker_of(openai->spec());
  EXPECT_EQ(reranker->score("q", passages), (std::vector<double>{0.25, 0.75}));
  EXPECT_FALSE(reranker->sees());
  EXPECT_EQ(openai->request(0).path, "/v1/rerank");
  EXPECT_EQ(openai->body(0), Json({{"model", "tiny"},
                                   {"query", "q"},
                                   {"documents", {"a", "b"}},
                                   {"top_n", 2},
                                   {"truncate_prompt_tokens", -1}}));
  const auto tei = server_of(Json::array({result(1, "score", 0.5), result(0, "score", 1)}));
  EXPECT_EQ(reranker_of("tei:" + tei->url() + "#m")->score("q", passages),
            (std::vector<double>{1, 0.5}));
  EXPECT_EQ(tei->request(0).path, "/rerank");
  EXPECT_EQ(
      tei->body(0),
      Json({{"query", "q"}, {"texts", {"a", "b"}}, {"raw_scores", false}, {"truncate", true}}));
}

TEST(ServedRerankers, RefuseScoresThatAreNone) {
  const std::vector<std::pair<Json, const char*>> replies = {
      {{{"results", {result(0, "relevance_score", -3.5)}}}, "-3.5"},
      {{{"results", {result(0, "relevance", 0.5)}}}, "null"},
      {{{"results", Json::array()}}, "0 scores instead of 1"},
      {{{"object", "error"}}, "no list of scores"}};
  const std::string passage = "a";
  for (const auto& [reply, part] : replies) {
    const auto server = server_of(reply);
    const auto reranker = reranker_of(server->spec());
    const std::string problem =
        failure_of(ErrorCode::model, [&] { reranker->score("q", {&passage, 1}); });
    EXPECT_TRUE(testing::has(problem, part)) << problem;
  }
}

TEST(ServedRerankers, SendBatchesThatTheServerAccepts) {
  std::vector<std::size_t> sizes;
  FakeChatServer server([&](int, const auto& request, auto& response) {
    const Json body = parse_json(request.body, "body");
    sizes.push_back(body.at("documents").size());
    if (sizes.back() > 16 || body.contains("truncate_prompt_tokens")) {
      response.status = 422;
      return FakeChatServer::json(
          response, {{"detail", sizes.back() > 16 ? "too many" : "truncate_prompt_tokens"}});
    }
    Json results = Json::array();
    for (std::size_t i = 0; i < sizes.back(); ++i) {
      results.push_back(result(static_cast<int>(i), "relevance_score", 0.5));
    }
    FakeChatServer::json(response, {{"results", results}});
  });
  const std::vector<std::string> passages(20, "a");
  EXPECT_EQ(reranker_of(server.spec())->score("q", passages).size(), 20U);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{20, 10, 10, 10}));
}

}  // namespace
}  // namespace fineprint::remote
