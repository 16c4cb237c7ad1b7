// Asks for verdicts and parses them.
#include "pipelines/molorag/judge.h"

#include <utility>

#include "fineprint/core/json.h"

namespace fineprint::pipelines::molorag {
namespace {

const std::vector<std::string> kMarks = {"1", "2", "3", "4", "5"};
constexpr int kMiddleMark = 3;

// The expected mark: the mean of 1 to 5, weighted by their probabilities.
double mean_mark(const std::vector<double>& probabilities) {
  double mean = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    mean += static_cast<double>(i + 1) * probabilities[i];
  }
  return mean;
}

}  // namespace

const std::vector<std::string>& judge_marks() { return kMarks; }

std::vector<std::string> judge_names() { return {"molorag.relevance", "molorag.relevance_json"}; }

int first_mark(std::string_view text) {
  const std::size_t at = text.find_first_of("12345");
  return at == std::string_view::npos ? kMiddleMark : text[at] - '0';
}

Judge::Judge(session::Context& context, std::string question, const Asking& asking)
    : context_(context),
      question_(std::move(question)),
      soft_(asking.soft),
      reserve_(asking.reserve),
      chooser_(agents::load_agent("molorag.relevance", asking.prompts)),
      writer_(agents::load_agent("molorag.relevance_json", asking.prompts)) {}

std::optional<double> Judge::relevance(PageId page) {
  const agents::Turn turn{.question = question_, .shown = {{.pages = {page}}}, .reserve = reserve_};
  // Choosing takes one step of the generator; writing JSON takes a whole reply.
  if (chooses_) {
    const std::optional<double> verdict = chosen(turn);
    if (chooses_) return verdict;
  }
  return written(turn);
}

std::optional<double> Judge::chosen(const agents::Turn& turn) {
  const agents::TurnChoice choice = agents::choose(context_, chooser_, turn, kMarks);
  // The generator gives no probabilities: it is not asked for them again.
  if (!choice.problem.empty()) chooses_ = false;
  if (!choice.best) return std::nullopt;
  return soft_ ? mean_mark(choice.probabilities) : static_cast<double>(*choice.best + 1);
}

std::optional<double> Judge::written(const agents::Turn& turn) {
  const agents::TurnReply reply = agents::call(context_, writer_, turn);
  if (reply.usable) return parse_json(reply.text, "a reply").at("relevance").get<double>();
  if (!reply.budget_reason.empty()) return std::nullopt;
  return first_mark(reply.text);
}

}  // namespace fineprint::pipelines::molorag
