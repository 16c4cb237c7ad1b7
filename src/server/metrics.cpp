// Counts, and writes the counters as text.
#include "server/metrics.h"

#include <algorithm>

#include "fineprint/core/format.h"
#include "fineprint/core/option.h"

namespace fineprint::server {
namespace {

// Prometheus needs these two lines once before the samples of a name.
std::string head(const std::string& name, const std::string& type, const std::string& meaning) {
  return format("# HELP {} {}\n# TYPE {} {}\n", name, meaning, name, type);
}

std::string counter(const std::string& name, const std::string& meaning, std::int64_t value) {
  return head(name, "counter", meaning) + format("{} {}\n", name, value);
}

}  // namespace

std::string gauge(const std::string& name, const std::string& meaning, double value) {
  return head(name, "gauge", meaning) + format("{} {}\n", name, number_text(value));
}

// Each time is counted in one bucket; text() sums them up, as Prometheus expects cumulative
// buckets.
void Metrics::count_request(const std::string& route, int status, double seconds) {
  const std::lock_guard guard(mutex_);
  ++requests_[{route, status}];
  Times& times = times_[route];
  ++times.up_to[static_cast<std::size_t>(std::ranges::lower_bound(kBounds, seconds) -
                                         kBounds.begin())];
  times.sum += seconds;
  ++times.count;
}

void Metrics::count_answer(const ServedAnswer& answer) {
  const std::lock_guard guard(mutex_);
  ++answers_[{answer.pipeline, answer.answerable}];
  if (answer.kept) {
    ++kept_;
    return;
  }
  usage_.vlm_calls += answer.usage.vlm_calls;
  usage_.prompt_tokens += answer.usage.prompt_tokens;
  usage_.output_tokens += answer.usage.output_tokens;
}

// Written under the lock, so that all numbers of one reply fit together.
std::string Metrics::text() const {
  const std::lock_guard guard(mutex_);
  std::string out = head("fineprint_requests_total", "counter", "Requests by route and status.");
  for (const auto& [key, count] : requests_) {
    out += format("fineprint_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first,
                  key.second, count);
  }
  out += head("fineprint_request_seconds", "histogram", "Time of requests by route.");
  for (const auto& [route, times] : times_) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      sum += times.up_to[i];
      out += format("fineprint_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                    number_text(kBounds[i]), sum);
    }
    out += format("fineprint_request_seconds_bucket{{route=\"{}\",le=\"+Inf\"}} {}\n", route,
                  times.count);
    out +=
        format("fineprint_request_seconds_sum{{route=\"{}\"}} {}\n", route, number_text(times.sum));
    out += format("fineprint_request_seconds_count{{route=\"{}\"}} {}\n", route, times.count);
  }
  out += head("fineprint_answers_total", "counter", "Answers by pipeline, given or declined.");
  for (const auto& [key, count] : answers_) {
    out += format("fineprint_answers_total{{pipeline=\"{}\",answerable=\"{}\"}} {}\n", key.first,
                  key.second, count);
  }
  out += counter("fineprint_kept_answers_total", "Answers that were kept from an earlier question.",
                 kept_);
  out += counter("fineprint_model_calls_total", "Calls of generators.", usage_.vlm_calls);
  out += counter("fineprint_prompt_tokens_total", "Tokens that generators read.",
                 usage_.prompt_tokens);
  out += counter("fineprint_output_tokens_total", "Tokens that generators wrote.",
                 usage_.output_tokens);
  return out;
}

}  // namespace fineprint::server
