// Errors as clients of each dialect parse them.
#include "server/refusal.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace fineprint::server {
namespace {

TEST(Refusals, HaveTheFormOfTheirPath) {
  const Problem problem = problem_of(refused_field("n", "must be 1"), "");
  EXPECT_EQ(error_json(problem, error_form("/v1/chat/completions")),
            R"({"error":{"message":"field 'n' must be 1","type":"invalid_request_error",)"
            R"("code":"input","param":"n"}})");
  EXPECT_EQ(error_json(problem, error_form("/v1/messages")),
            R"({"type":"error","error":{"type":"invalid_request_error",)"
            R"("message":"field 'n' must be 1"}})");
  EXPECT_EQ(error_json(problem, error_form("/api/chat")), R"({"error":"field 'n' must be 1"})");
  EXPECT_EQ(error_form("/v1/messages/count_tokens"), ErrorForm::anthropic);
  EXPECT_EQ(error_form("/v1/messagesx"), ErrorForm::openai);
}

TEST(Refusals, KeepTheirStatus) {
  const Problem problem = problem_of(Refusal(429, "too many", 7), "");
  EXPECT_EQ(problem.status, 429);
  EXPECT_EQ(problem.retry_after, 7);
  EXPECT_EQ(problem_of(Error(ErrorCode::timed_out, "late"), "").status, 504);
  for (const auto& [status, type] : {std::pair{400, "invalid_request_error"},
                                     {401, "authentication_error"},
                                     {404, "not_found_error"},
                                     {413, "request_too_large"},
                                     {429, "rate_limit_error"},
                                     {500, "api_error"},
                                     {503, "overloaded_error"}}) {
    EXPECT_EQ(anthropic_error_type(status), type);
  }
}

TEST(Refusals, RevealNothingAboutTheInside) {
  const Problem problem = problem_of(std::runtime_error("/home/x: secret"), "/v1/ask");
  EXPECT_EQ(problem.status, 500);
  EXPECT_EQ(problem.message.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace fineprint::server
