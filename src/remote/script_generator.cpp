// Answers calls from a script.
#include "fineprint/remote/script_generator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "remote/script_file.h"

namespace fineprint::remote {
namespace {

// Returns the entropy of a distribution of n entries: one has probability p, and the others share
// the rest evenly.
double entropy_of(double p, std::size_t n) {
  const double rest = 1 - p, each = rest / static_cast<double>(n - 1);
  return -(p > 0 ? p * std::log(p) : 0) - (rest > 0 ? rest * std::log(each) : 0);
}

// Returns the p >= 1/n with that entropy, or 1/n if the entropy is larger than any p gives.
double probability_of(double entropy, std::size_t n) {
  double low = 1 / static_cast<double>(n), high = 1;
  // The entropy falls from p = 1/n to 1, so bisection finds p; 60 halvings exhaust a double.
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (entropy_of(middle, n) > entropy ? low : high) = middle;
  }
  return low;
}

// Returns one probability for each candidate; see script_generator.h for the rules.
std::vector<double> probabilities(const ScriptLine& line, std::size_t best, std::size_t n) {
  std::vector<double> all(n, 0);
  if (n > 1 && line.log_probabilities.size() == n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += all[i] = std::exp(line.log_probabilities[i]);
    // All probabilities may be 0 after exp(); the rules below then apply.
    if (sum > 0) {
      for (double& p : all) p /= sum;
      return all;
    }
  }
  double p = 1;
  if (n > 1 && !line.log_probabilities.empty()) p = std::exp(line.log_probabilities.front());
  if (n > 1 && line.log_probabilities.empty() && !line.entropies.empty()) {
    p = probability_of(line.entropies.front(), n);
  }
  for (double& each : all) each = n > 1 ? (1 - p) / static_cast<double>(n - 1) : 0;
  all[best] = p;
  return all;
}

std::vector<models::TokenScore> scores_of(const ScriptLine& line) {
  const auto value = [](const std::vector<double>& list, std::size_t i, double missing) {
    if (list.empty()) return missing;
    return list.size() == 1 ? list.front() : list[i];
  };
  std::vector<models::TokenScore> scores;
  scores.reserve(line.token_count());
  for (std::size_t i = 0; i < line.token_count(); ++i) {
    scores.push_back({-1, value(line.log_probabilities, i, 0), value(line.entropies, i, 0),
                      value(line.top_entropies, i, models::TokenScore().top_entropy)});
  }
  return scores;
}

// Returns how many bytes of `text` a reply that takes `ms` has after `passed`. The number never
// ends within a character.
std::size_t written_after(double passed, double ms, std::string_view text) {
  if (passed >= ms) return text.size();
  auto bytes = static_cast<std::size_t>(static_cast<double>(text.size()) * passed / ms);
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return bytes;
}

// Writes the line's reply in its time, or the part of it that comes before the token asks to stop.
models::Reply write(const ScriptLine& line, const models::SamplingOptions& options) {
  constexpr std::chrono::milliseconds kBetweenPieces{5};
  const auto start = std::chrono::steady_clock::now();
  models::Reply reply;
  for (;;) {
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - start;
    const std::size_t written = reply.text.size();
    reply.text = line.reply.substr(0, written_after(passed.count(), line.ms, line.reply));
    if (options.on_text && reply.text.size() > written) {
      options.on_text(std::string_view(reply.text).substr(written));
    }
    reply.decode_ms = passed.count();
    if (passed.count() >= line.ms) return reply;
    if (options.stop_token.stop_requested()) {
      reply.finish = models::Finish::cancelled;
      return reply;
    }
    // Short, so that tests of stopping see the stop at nearly the right byte.
    std::this_thread::sleep_for(kBetweenPieces);
  }
}

// Returns how many of the line's tokens a reply that was cut contains.
std::size_t written_tokens(const models::Reply& cut, const ScriptLine& line) {
  return line.reply.empty() ? 0 : line.token_count() * cut.text.size() / line.reply.size();
}

class ScriptGenerator : public models::Generator {
 public:
  explicit ScriptGenerator(const std::string& path)
      : path_(path), hash_(file_hash(path)), lines_(read_script(path)) {}

  std::string name() const override {
    return format("script:{}", std::filesystem::path(path_).filename().string());
  }
  std::string hash() const override { return hash_; }

  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions& options) const override {
    if (options.stop_token.stop_requested()) {
      models::Reply none;
      none.finish = models::Finish::cancelled;
      return none;
    }
    const ScriptLine& line = next(request);
    models::Reply reply = write(line, options);
    reply.tokens = scores_of(line);
    if (reply.finish == models::Finish::cancelled) reply.tokens.resize(written_tokens(reply, line));
    reply.output_tokens = static_cast<std::int64_t>(reply.tokens.size());
    return reply;
  }

  models::Reply generate_json(const models::Request& request, const grammar::JsonSchema&,
                              const models::SamplingOptions& options) const override {
    return generate(request, options);
  }

  models::Choice choose(const models::Request& request, std::span<const std::string> candidates,
                        const StopToken& stop_token) const override {
    throw_if_stopped(stop_token);
    const ScriptLine& line = next(request);
    models::SamplingOptions options;
    options.stop_token = stop_token;
    if (write(line, options).finish == models::Finish::cancelled) throw_if_stopped(stop_token);
    const auto found = std::ranges::find(candidates, line.reply);
    if (found == candidates.end()) {
      throw Error(ErrorCode::model,
                  format("{}:{}: the reply \"{}\" is not one of the {} candidates", path_,
                         line.number, line.reply, candidates.size()));
    }
    models::Choice choice;
    choice.best = static_cast<std::size_t>(found - candidates.begin());
    choice.probabilities = probabilities(line, choice.best, candidates.size());
    for (const double p : choice.probabilities) choice.log_probabilities.push_back(std::log(p));
    return choice;
  }

 private:
  // Returns the line that answers the call and marks it as used. Throws the line's error if it has
  // one.
  const ScriptLine& next(const models::Request& request) const {
    const ScriptLine& line = take(request);
    if (line.error) {
      throw Error(*line.error, format("{}:{}: {}", path_, line.number, line.reply));
    }
    return line;
  }

  const ScriptLine& take(const models::Request& request) const {
    const std::lock_guard lock(mutex_);
    // By question, because a batch answers several at a time and their order is not fixed.
    std::set<int>& used = used_[request.question];
    for (const ScriptLine& line : lines_) {
      if (line.fits(request) && used.insert(line.number).second) return line;
    }
    std::string unused;
    for (const ScriptLine& line : lines_) {
      if (line.agent != request.agent || used.contains(line.number)) continue;
      unused += format("{}{}", unused.empty() ? "" : ", ", line.number);
    }
    throw Error(ErrorCode::model,
                format("{}: no line is left for agent \"{}\" and question \"{}\"; unused lines of "
                       "this agent: {}",
                       path_, request.agent, request.question, unused.empty() ? "none" : unused));
  }

  std::string path_, hash_;
  std::vector<ScriptLine> lines_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::set<int>> used_;  // question -> numbers of lines
};

}  // namespace

std::unique_ptr<models::Generator> make_script_generator(const std::string& spec) {
  return std::make_unique<ScriptGenerator>(
      spec.substr(std::min(kScriptPrefix.size(), spec.size())));
}

}  // namespace fineprint::remote
