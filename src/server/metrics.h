// Counts what a server has done, for Prometheus.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "fineprint/server/service.h"

namespace fineprint::server {

// Safe to use from several threads.
class Metrics {
 public:
  void count_request(const std::string& route, int status, double seconds);
  // A kept answer is counted as an answer, but not what it cost once.
  void count_answer(const ServedAnswer& answer);

  // Returns the counters in Prometheus' text format 0.0.4. The caller adds gauges of the present
  // state.
  std::string text() const;

 private:
  static constexpr std::array kBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                         0.25,  0.5,    1.0,   2.5,  5.0,   10.0, 60.0};
  struct Times {
    std::array<std::int64_t, kBounds.size() + 1> up_to{};  // each bound alone, not cumulative
    double sum = 0;
    std::int64_t count = 0;
  };

  mutable std::mutex mutex_;                                      // guards what follows
  std::map<std::pair<std::string, int>, std::int64_t> requests_;  // by route and status
  std::map<std::string, Times> times_;                            // by route
  std::map<std::pair<std::string, bool>, std::int64_t> answers_;  // by pipeline and answerable
  std::int64_t kept_ = 0;
  Usage usage_;
};

// Returns a sample with its type and meaning before it.
std::string gauge(const std::string& name, const std::string& meaning, double value);

}  // namespace fineprint::server
