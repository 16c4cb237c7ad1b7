// One model behind several servers.
#include "remote/openai/several_servers.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/remote/openai_generator.h"

#include "chat_server.h"

namespace fineprint::remote {
namespace {

using fineprint::testing::ending;
using fineprint::testing::FakeChatServer;
using fineprint::testing::piece;
using namespace std::chrono_literals;

// What servers did, and how they are.
struct World {
  std::vector<std::string> asked;               // "a", "b patiently"
  std::map<std::string, ErrorCode> failing;     // by server
  std::map<std::string, std::string> said;      // before it fails, or as its reply
  std::chrono::steady_clock::time_point now{};  // long before any clock's
};

class Server : public models::Generator {
 public:
  Server(World* world, std::string host, bool is_patient, std::string model)
      : world_(world), host_(std::move(host)), is_patient_(is_patient), model_(std::move(model)) {}

  std::string name() const override { return model_; }
  std::string hash() const override { return host_; }
  std::string remote() const override { return host_; }
  models::Reply generate(const models::Request&,
                         const models::SamplingOptions& options) const override {
    world_->asked.push_back(host_ + (is_patient_ ? " patiently" : ""));
    models::Reply reply;
    reply.text = world_->said[host_];
    if (options.on_text && !reply.text.empty()) options.on_text(reply.text);
    fail_if_it_does();
    return reply;
  }
  using models::Generator::choose;
  models::Choice choose(const models::Request&, std::span<const std::string>,
                        const StopToken&) const override {
    world_->asked.push_back(host_);
    fail_if_it_does();
    models::Choice choice;
    choice.best = 1;
    return choice;
  }
  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema&,
                              const models::SamplingOptions& options) const override {
    return generate(request, options);
  }

 private:
  void fail_if_it_does() const {
    const auto failing = world_->failing.find(host_);
    if (failing != world_->failing.end()) {
      throw Error(failing->second, format("{} does not answer", host_));
    }
  }

  World* world_;
  std::string host_;
  bool is_patient_;
  std::string model_;
};

SeveralServers servers_of(World* world, const std::vector<std::string>& hosts) {
  std::vector<SeveralServers::Server> servers;
  for (const std::string& host : hosts) {
    servers.push_back({std::make_unique<Server>(world, host, false, "m"),
                       std::make_unique<Server>(world, host, true, "m")});
  }
  return {std::move(servers), [world] { return world->now; }};
}

models::Request about(const std::string& page, const std::string& question = "How many?") {
  models::Request request;
  request.messages.push_back({models::Role::system, "You read pages.", {}});
  request.messages.push_back({models::Role::user, question, {}});
  request.question = question;
  if (!page.empty()) request.pages = {page};
  return request;
}

// The server that is asked first.
std::string home_of(World* world, const SeveralServers& servers, const models::Request& request) {
  world->asked.clear();
  servers.generate(request, {});
  return world->asked.front();
}

TEST(SeveralServers, WhatBeginsAlikeGoesToOneServerAndAllAreUsed) {
  World world;
  const SeveralServers servers = servers_of(&world, {"a", "b", "c"});
  std::map<std::string, int> calls;
  for (int page = 0; page < 90; ++page) {
    const models::Request first = about(format("report.pdf:{}", page), "How many?");
    const models::Request second = about(format("report.pdf:{}", page), "Who?");
    const std::string home = home_of(&world, servers, first);
    EXPECT_EQ(home, home_of(&world, servers, second));
    ++calls[home];
  }
  for (const char* host : {"a", "b", "c"}) EXPECT_GE(calls[host], 15) << host;
}

TEST(SeveralServers, OneServerMoreMovesOnlyWhatBecomesItsOwn) {
  World world;
  const SeveralServers two = servers_of(&world, {"a", "b"});
  const SeveralServers three = servers_of(&world, {"a", "b", "c"});
  for (int page = 0; page < 60; ++page) {
    const models::Request request = about(format("report.pdf:{}", page));
    const std::string before = home_of(&world, two, request);
    const std::string after = home_of(&world, three, request);
    EXPECT_TRUE(after == before || after == "c") << page;
  }
}

TEST(SeveralServers, AnotherTakesOverAndTheOneThatFailedRests) {
  World world;
  const SeveralServers servers = servers_of(&world, {"a", "b"});
  const models::Request request = about("report.pdf:1");
  const std::string home = home_of(&world, servers, request);
  const std::string other = home == "a" ? "b" : "a";
  world.failing[home] = ErrorCode::timed_out;
  world.asked.clear();
  servers.generate(request, {});
  EXPECT_EQ(world.asked, (std::vector<std::string>{home, other}));
  world.failing.clear();
  EXPECT_EQ(home_of(&world, servers, request), other);
  world.now += 31s;
  EXPECT_EQ(home_of(&world, servers, request), home);
}

TEST(SeveralServers, WhenAllFailOneIsWaitedForAndSaysWhy) {
  World world;
  const SeveralServers servers = servers_of(&world, {"a", "b"});
  world.failing = {{"a", ErrorCode::model}, {"b", ErrorCode::model}};
  try {
    servers.generate(about("report.pdf:1"), {});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
  }
  ASSERT_EQ(world.asked.size(), 3U);
  EXPECT_EQ(world.asked[2], world.asked[0] + " patiently");
}

TEST(SeveralServers, WhatNoServerCanDoIsAskedOnce) {
  World world;
  const SeveralServers servers = servers_of(&world, {"a", "b"});
  world.failing = {{"a", ErrorCode::input}, {"b", ErrorCode::input}};
  EXPECT_THROW(servers.generate(about("report.pdf:1"), {}), Error);
  EXPECT_EQ(world.asked.size(), 1U);
}

TEST(SeveralServers, ATextThatBrokeOffGoesOnWhereItBegan) {
  World world;
  const SeveralServers servers = servers_of(&world, {"a", "b"});
  const models::Request request = about("report.pdf:1");
  const std::string home = home_of(&world, servers, request);
  const std::string other = home == "a" ? "b" : "a";
  world.failing[home] = ErrorCode::model;
  world.said = {{home, "Ten p"}, {other, "Ten pages"}};
  std::string shown;
  models::SamplingOptions options;
  options.on_text = [&](std::string_view piece) { shown += piece; };
  EXPECT_EQ(servers.generate(request, options).text, "Ten pages");
  EXPECT_EQ(shown, "Ten pages");

  world.now += 31s;
  world.said[other] = "Eleven";  // no end of what was shown: the first is asked once more
  shown.clear();
  world.asked.clear();
  EXPECT_THROW(servers.generate(request, options), Error);
  EXPECT_EQ(shown, "Ten p");
  EXPECT_EQ(world.asked, (std::vector<std::string>{home, other, home + " patiently"}));
}

TEST(SeveralServers, ChoicesTakeOverToo) {
  World world;
  const SeveralServers servers = servers_of(&world, {"a", "b"});
  const models::Request request = about("report.pdf:1");
  world.failing[home_of(&world, servers, request)] = ErrorCode::model;
  const std::vector<std::string> candidates = {"yes", "no"};
  EXPECT_EQ(servers.choose(request, candidates).best, 1U);
}

TEST(SeveralServers, ModelsOfUnlikeNamesAreRefused) {
  World world;
  std::vector<SeveralServers::Server> servers;
  for (const char* model : {"m", "n"}) {
    servers.push_back({std::make_unique<Server>(&world, model, false, model),
                       std::make_unique<Server>(&world, model, true, model)});
  }
  EXPECT_THROW(SeveralServers(std::move(servers), std::chrono::steady_clock::now), Error);
}

TEST(SeveralServers, HashesDoNotDependOnTheOrder) {
  World world;
  EXPECT_EQ(servers_of(&world, {"a", "b"}).hash(), servers_of(&world, {"b", "a"}).hash());
  EXPECT_NE(servers_of(&world, {"a", "b"}).hash(), servers_of(&world, {"a", "c"}).hash());
}

TEST(SeveralServers, AListOfAddressesOutlivesAServerThatIsGone) {
  FakeChatServer alive([](int, const auto&, auto& response) {
    FakeChatServer::stream(response, piece("Ten") + ending("stop", {}));
  });
  const std::string list = "openai:http://127.0.0.1:1/v1#tiny," + alive.spec();
  const auto generator = make_openai_generator(list, {});
  for (int page = 0; page < 8; ++page) {
    EXPECT_EQ(generator->generate(about(format("report.pdf:{}", page)), {}).text, "Ten");
  }
  EXPECT_NE(generator->remote().find("127.0.0.1:1, "), std::string::npos) << generator->remote();
}

}  // namespace
}  // namespace fineprint::remote
