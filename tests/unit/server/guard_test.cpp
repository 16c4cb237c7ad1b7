// Who may ask.
#include "server/http/guard.h"

#include <gtest/gtest.h>

#include "fineprint/server/server_options.h"

namespace fineprint::server {
namespace {

HttpRequest asked_at(const std::string& host) {
  HttpRequest request{.method = "GET", .path = "/v1/documents"};
  request.headers.emplace("host", host);
  return request;
}

int status(const Guard& guard, const HttpRequest& request, const HttpRoute& route = {}) {
  const auto refusal = guard.refuses(request, route);
  return refusal ? refusal->status() : 200;
}

TEST(Guard, KnowsItsNames) {
  const Guard guard("192.168.1.5", {"docs.example:443"}, "token");
  const HttpRoute open{.is_open = true};
  for (const char* host : {"192.168.1.5:8080", "localhost", "127.0.0.1:1", "[::1]:8080", "::1",
                           "docs.example", "DOCS.example:99"}) {
    EXPECT_EQ(status(guard, asked_at(host), open), 200) << host;
  }
  for (const char* host : {"evil.example", "192.168.1.50", "10.0.0.1", "", "docs.example.evil",
                           "localhost.evil.example", "[::2]:80"}) {
    EXPECT_EQ(status(guard, asked_at(host), open), 403) << host;
  }
}

TEST(Guard, AtAllAddressesIsAskedByAnyAddressAndByNoOtherName) {
  const Guard guard("0.0.0.0", {}, "token");
  const HttpRoute open{.is_open = true};
  EXPECT_EQ(status(guard, asked_at("10.1.2.3:8080"), open), 200);
  EXPECT_EQ(status(guard, asked_at("[fe80::1]:8080"), open), 200);
  EXPECT_EQ(status(guard, asked_at("rebound.example:8080"), open), 403);
}

TEST(Guard, WantsOneHost) {
  const Guard guard("127.0.0.1", {}, "");
  HttpRequest request = asked_at("localhost");
  EXPECT_EQ(status(guard, request), 200);
  request.headers.emplace("host", "localhost");
  EXPECT_EQ(status(guard, request), 403);
  request.headers.clear();
  EXPECT_EQ(status(guard, request), 403);
}

TEST(Guard, RefusesOtherOrigins) {
  const Guard guard("127.0.0.1", {}, "");
  for (const auto& [origin, expected] : {std::pair{"http://localhost:8080", 200},
                                         {"https://localhost:8080", 200},
                                         {"http://localhost:8081", 403},
                                         {"http://127.0.0.1:8080", 403},
                                         {"null", 403},
                                         {"http://evil.example", 403},
                                         {"file://", 403}}) {
    HttpRequest request = asked_at("localhost:8080");
    request.headers.emplace("origin", origin);
    EXPECT_EQ(status(guard, request), expected) << origin;
  }
}

TEST(Guard, LetsOtherSitesLinkToThePageAlone) {
  const Guard guard("127.0.0.1", {}, "");
  HttpRequest request = asked_at("localhost");
  request.headers.emplace("sec-fetch-site", "cross-site");
  request.headers.emplace("sec-fetch-mode", "navigate");
  EXPECT_EQ(status(guard, request), 403);
  request.path = "/";
  EXPECT_EQ(status(guard, request), 200);
  request.method = "POST";
  EXPECT_EQ(status(guard, request), 403);
}

TEST(Guard, WantsTheWholeToken) {
  const Guard guard("127.0.0.1", {}, "0123456789abcdef");
  for (const auto& [given, expected] : {std::pair{"Bearer 0123456789abcdef", 200},
                                        {"bearer 0123456789abcdef", 200},
                                        {"Bearer 0123456789abcde", 401},
                                        {"Bearer 0123456789abcdefg", 401},
                                        {"Bearer ", 401},
                                        {"0123456789abcdef", 401},
                                        {"", 401}}) {
    HttpRequest request = asked_at("localhost");
    request.headers.emplace("authorization", given);
    EXPECT_EQ(status(guard, request), expected) << given;
  }
  EXPECT_EQ(status(guard, asked_at("localhost"), {.is_open = true}), 200);
}

TEST(Guard, TakesTheTokenAsAKey) {
  const Guard guard("127.0.0.1", {}, "0123456789abcdef");
  for (const auto& [given, expected] :
       {std::pair{"0123456789abcdef", 200}, {"0123456789abcde", 401}, {"", 401}}) {
    HttpRequest request = asked_at("localhost");
    request.headers.emplace("x-api-key", given);
    EXPECT_EQ(status(guard, request), expected) << given;
  }
}

TEST(Guard, WantsTypesThatNoFormSends) {
  const Guard guard("127.0.0.1", {}, "");
  const HttpRoute json{.body = BodyKind::json}, document{.body = BodyKind::document};
  HttpRequest request = asked_at("localhost");
  EXPECT_EQ(status(guard, request, json), 415);
  EXPECT_EQ(status(guard, request, {.body = BodyKind::json_with_files}), 415);
  request.headers.emplace("content-type", "application/json; charset=utf-8");
  EXPECT_EQ(status(guard, request, json), 200);
  EXPECT_EQ(status(guard, request, document), 415);
}

TEST(Loopback, IsThisMachineAlone) {
  for (const char* host : {"127.0.0.1", "127.9.9.9", "localhost", "::1"}) {
    EXPECT_TRUE(is_loopback(host)) << host;
  }
  for (const char* host : {"0.0.0.0", "192.168.0.1", "::", "127.0.0.1.evil", "example.com", ""}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

}  // namespace
}  // namespace fineprint::server
