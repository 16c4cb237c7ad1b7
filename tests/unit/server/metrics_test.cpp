// Counts as Prometheus reads them.
#include "server/metrics.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::server {
namespace {

TEST(Metrics, SumUpTimesFromTheLeast) {
  Metrics metrics;
  metrics.count_request("/v1/search", 200, 0.002);
  metrics.count_request("/v1/search", 200, 0.3);
  metrics.count_request("/v1/search", 429, 1000);
  const std::string text = metrics.text();
  for (const char* line :
       {"fineprint_requests_total{route=\"/v1/search\",status=\"200\"} 2\n",
        "fineprint_requests_total{route=\"/v1/search\",status=\"429\"} 1\n",
        "fineprint_request_seconds_bucket{route=\"/v1/search\",le=\"0.001\"} 0\n",
        "fineprint_request_seconds_bucket{route=\"/v1/search\",le=\"0.0025\"} 1\n",
        "fineprint_request_seconds_bucket{route=\"/v1/search\",le=\"60\"} 2\n",
        "fineprint_request_seconds_bucket{route=\"/v1/search\",le=\"+Inf\"} 3\n",
        "fineprint_request_seconds_count{route=\"/v1/search\"} 3\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(Metrics, CountFromSeveralThreads) {
  Metrics metrics;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      ServedAnswer answer;
      answer.pipeline = "extractive";
      answer.answerable = true;
      answer.usage.vlm_calls = 2;
      for (int n = 0; n < 100; ++n) metrics.count_answer(answer);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = metrics.text();
  EXPECT_NE(text.find("fineprint_answers_total{pipeline=\"extractive\",answerable=\"true\"} 400\n"),
            std::string::npos);
  EXPECT_NE(text.find("fineprint_model_calls_total 800\n"), std::string::npos);
}

TEST(Metrics, CountWhatAKeptAnswerCostOnce) {
  Metrics metrics;
  ServedAnswer answer;
  answer.pipeline = "textrag";
  answer.usage.vlm_calls = 3;
  metrics.count_answer(answer);
  answer.kept = true;
  metrics.count_answer(answer);
  const std::string text = metrics.text();
  for (const char* line : {"fineprint_answers_total{pipeline=\"textrag\",answerable=\"false\"} 2\n",
                           "fineprint_kept_answers_total 1\n", "fineprint_model_calls_total 3\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

}  // namespace
}  // namespace fineprint::server
