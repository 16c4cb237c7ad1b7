// Divides the likeliest first tokens among candidates.
#include "remote/openai/first_token.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::remote {
namespace {

// Models put a blank or line break before the first word; it says nothing about the candidate.
std::string_view without_blanks(std::string_view token) {
  token.remove_prefix(std::min(token.find_first_not_of(" \t\r\n"), token.size()));
  return token;
}

// Returns the indices of the candidates that begin with `token`.
std::vector<std::size_t> begun_by(std::string_view token, std::span<const std::string> candidates) {
  std::vector<std::size_t> begun;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].starts_with(token)) begun.push_back(i);
  }
  return begun;
}

[[noreturn]] void refuse_none(const TopTokens& top) {
  throw Error(ErrorCode::model,
              format("none of the replies to choose from is among the server's {} likeliest first "
                     "tokens (the first is \"{}\"); name the possible replies in the prompt, or "
                     "use a model that runs on this machine",
                     top.size(), top.empty() ? std::string() : top.front().first));
}

[[noreturn]] void refuse_alike(const std::string& one, const std::string& other) {
  throw Error(
      ErrorCode::model,
      format("the replies \"{}\" and \"{}\" begin with the same token, and a server returns "
             "probabilities of the first token only; use replies that differ in their first "
             "letters, or a model that runs on this machine",
             one, other));
}

}  // namespace

models::Choice choice_of_first_token(const TopTokens& top,
                                     std::span<const std::string> candidates) {
  models::Choice choice;
  choice.probabilities.assign(candidates.size(), 0);
  double unclear = 0;  // of tokens that begin several candidates
  std::vector<std::size_t> alike;
  for (const auto& [text, log_probability] : top) {
    const std::string_view token = without_blanks(text);
    const std::vector<std::size_t> begun =
        token.empty() ? std::vector<std::size_t>() : begun_by(token, candidates);
    if (begun.size() == 1) choice.probabilities[begun.front()] += std::exp(log_probability);
    if (begun.size() < 2) continue;
    unclear += std::exp(log_probability);
    alike = begun;
  }
  const double sum = std::accumulate(choice.probabilities.begin(), choice.probabilities.end(), 0.0);
  // A smaller share hardly changes the probabilities, so it is dropped.
  if (unclear > sum / 100) refuse_alike(candidates[alike[0]], candidates[alike[1]]);
  if (!(sum > 0)) refuse_none(top);
  for (double& p : choice.probabilities) {
    choice.log_probabilities.push_back(std::log(p));
    p /= sum;
  }
  choice.best = static_cast<std::size_t>(std::ranges::max_element(choice.probabilities) -
                                         choice.probabilities.begin());
  return choice;
}

}  // namespace fineprint::remote
