// Weighs what readings point at, and computes the most probable answer.
#include "fineprint/evidence/execution.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/numbers.h"
#include "fineprint/text/question.h"
#include "fineprint/text/units.h"

#include "evidence/arithmetic.h"
#include "evidence/measure.h"

namespace fineprint::evidence {
namespace {

using models::PassageReading;
using models::QaOperator;
using models::QaPassage;
using models::QaScale;
using models::QaUnit;

constexpr std::size_t kBestUnits = 10;    // units that may be the one answer
constexpr std::size_t kBestOperands = 6;  // units that may be the first, or the second, of a pair
constexpr std::size_t kMostAnswers = 20;
constexpr double kLeast = 1e-6;  // less probable passages and operators are skipped

double log_sigmoid(double x) {
  return x > 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
}

Place place_of(const QaUnit& unit) { return {unit.row, unit.column, unit.begin, unit.end}; }

// The arguments of an operator, and their probability.
struct Argument {
  std::vector<Place> places;
  double log_probability = 0;
};

// A possible answer.
struct PossibleAnswer {
  std::size_t passage = 0;
  QaOperator operation = QaOperator::span;
  std::vector<std::string> texts;
  std::vector<Place> evidence;
  std::string derivation;
  Measure measure;
  double log_probability = 0;

  // Returns a key that is equal for answers that say the same. Letter case does not count.
  std::string key() const {
    std::string all(models::kQaScaleNames[static_cast<std::size_t>(measure.scale)]);
    for (const std::string& one : texts) all += "\n" + fold(one);
    return all;
  }
};

// Returns whether the text itself states its scale: "$4.2 million", "12%".
bool says_scale(std::string_view text) {
  const auto numbers = text::numbers_in(text);
  return !numbers.empty() &&
         (numbers.back().percent || scale_behind(text, numbers.back().end).has_value());
}

// Returns whether the heads or the context of a table contain the name of a scale.
bool heads_name(const QaPassage& passage, QaScale scale) {
  std::string heads = passage.context;
  for (int row = 0; row < passage.header_rows; ++row) {
    for (const std::string& cell : passage.rows[static_cast<std::size_t>(row)]) heads += " " + cell;
  }
  const std::string folded = fold(heads);
  const auto has = [&](std::string_view name) { return folded.find(name) != std::string::npos; };
  if (scale == QaScale::percent) return has("percent") || has("per cent") || has("%");
  return scale != QaScale::none && has(models::kQaScaleNames[static_cast<std::size_t>(scale)]);
}

// One passage and the model's reading of it.
class PassageAnswers {
 public:
  PassageAnswers(const std::string& question, const QaPassage& passage,
                 const PassageReading& reading)
      : question_(question),
        asks_percent_(asks_percent(question)),
        passage_(passage),
        reading_(reading) {
    take_units();
  }

  // Returns all possible answers, with the probabilities of operator and arguments.
  std::vector<PossibleAnswer> candidates() const {
    std::vector<PossibleAnswer> all;
    for (std::size_t i = 0; i < models::kQaOperators; ++i) {
      const auto operation = static_cast<QaOperator>(i);
      // Operators that the model rules out would only add many improbable candidates.
      if (reading_.operators[i] < std::log(kLeast)) continue;
      for (const Argument& argument : arguments(operation)) {
        std::optional<PossibleAnswer> candidate = make_candidate(operation, argument);
        if (!candidate) continue;
        candidate->log_probability = reading_.operators[i] + argument.log_probability;
        all.push_back(std::move(*candidate));
      }
    }
    return all;
  }

 private:
  static bool asks_percent(const std::string& question) {
    const std::string folded = fold(question);
    return folded.find("percent") != std::string::npos ||
           folded.find("per cent") != std::string::npos || folded.find('%') != std::string::npos;
  }

  bool is_table() const { return !passage_.rows.empty(); }

  std::string text_at(const Place& place) const {
    if (!place.is_cell()) return passage_.text.substr(place.begin, place.end - place.begin);
    const auto& row = passage_.rows[static_cast<std::size_t>(place.row)];
    const auto column = static_cast<std::size_t>(place.column);
    return column < row.size() ? row[column] : std::string();
  }

  std::vector<Argument> arguments(QaOperator operation) const {
    switch (operation) {
      case QaOperator::span:
        return is_table() ? single_cells() : single_spans();
      case QaOperator::spans:
        return is_table() ? chosen_units(false) : several_spans();
      case QaOperator::count:
        return chosen_units(false);
      case QaOperator::sum:
      case QaOperator::average:
        return chosen_units(true);
      case QaOperator::difference:
      case QaOperator::ratio:
      case QaOperator::change:
        return pairs();
      case QaOperator::yes:
      case QaOperator::no:
        return {Argument{}};
    }
    return {};
  }

  std::vector<Argument> single_spans() const {
    std::vector<Argument> all;
    all.reserve(reading_.spans.size());
    for (const models::QaSpan& span : reading_.spans) {
      const std::uint32_t begin = text::start_of_number(passage_.text, span.begin);
      all.push_back({{Place{-1, -1, begin, span.end}}, span.log_probability});
    }
    return all;
  }

  // A cell or number that the model scored and that is not empty.
  struct Unit {
    const QaUnit* said;
    std::optional<Figure> figure;  // if it is a number

    Place place() const { return place_of(*said); }
  };

  void take_units() {
    const std::vector<text::PrintedNumber> numbers = text::numbers_in(passage_.text);
    for (const QaUnit& unit : reading_.units) {
      const Place place = place_of(unit);
      if (text_at(place).empty()) continue;
      units_.push_back({&unit, place.is_cell() ? figure_in(text_at(place)) : std::nullopt});
      const auto known = std::ranges::find(numbers, unit.begin, &text::PrintedNumber::begin);
      if (!place.is_cell() && known != numbers.end()) {
        units_.back().figure = figure_of(*known, passage_.text);
      }
    }
  }

  static std::optional<Figure> figure_in(const std::string& cell) {
    if (!text::number_of_cell(cell)) return std::nullopt;
    return figure_of(text::numbers_in(cell).front(), cell);
  }

  static Figure figure_of(const text::PrintedNumber& number, const std::string& text) {
    const std::string digits = text.substr(number.begin, number.end - number.begin);
    const std::size_t point = digits.find('.');
    return {number.value,
            point == std::string::npos ? 0 : static_cast<int>(digits.size() - point - 1),
            (number.value < 0 ? "-" : "") + digits};
  }

  const Figure& figure_at(const Place& place) const {
    return std::ranges::find(units_, place, &Unit::place)->figure.value();
  }

  // Returns the `count` best units by the given score; only numbers if `numbers`.
  std::vector<const Unit*> best(std::size_t count, double QaUnit::* score, bool numbers) const {
    std::vector<const Unit*> units;
    for (const Unit& unit : units_) {
      if (!numbers || unit.figure) units.push_back(&unit);
    }
    std::ranges::stable_sort(units, std::greater<>(),
                             [&](const Unit* unit) { return unit->said->*score; });
    // Bounds the work: pairs grow with the square of the units.
    units.resize(std::min(units.size(), count));
    return units;
  }

  std::vector<Argument> single_cells() const {
    std::vector<Argument> all;
    for (const Unit* unit : best(kBestUnits, &QaUnit::single, false)) {
      all.push_back({{unit->place()}, unit->said->single});
    }
    return all;
  }

  std::vector<Argument> several_spans() const {
    Argument all;
    double least = 0;
    for (const models::QaSpan& span : reading_.several) {
      least = all.places.empty() ? span.log_probability : std::min(least, span.log_probability);
      all.places.push_back({-1, -1, span.begin, span.end});
    }
    // A set is as probable as its least certain member.
    if (all.places.empty()) return {};
    all.log_probability = log_sigmoid(least);
    return {std::move(all)};
  }

  // Returns the units that are more likely in the set than not, or only the best one if all are
  // less likely. Units that are left out count too: leaving one out may be as uncertain as taking
  // one.
  std::vector<Argument> chosen_units(bool numbers) const {
    const auto first = best(1, &QaUnit::chosen, numbers);
    if (first.empty()) return {};
    const double most = first.front()->said->chosen;
    if (most <= 0) return {Argument{{first.front()->place()}, log_sigmoid(most)}};
    Argument all;
    double least = most;
    for (const Unit& unit : units_) {
      if (numbers && !unit.figure) continue;
      least = std::min(least, std::abs(unit.said->chosen));
      if (unit.said->chosen > 0) all.places.push_back(unit.place());
    }
    all.log_probability = log_sigmoid(least);
    return {std::move(all)};
  }

  std::vector<Argument> pairs() const {
    const auto firsts = best(kBestOperands, &QaUnit::first, true);
    const auto seconds = best(kBestOperands, &QaUnit::second, true);
    std::vector<Argument> all;
    for (const Unit* first : firsts) {
      for (const Unit* second : seconds) {
        // A figure minus itself is never asked for.
        if (first == second) continue;
        all.push_back(
            {{first->place(), second->place()}, first->said->first + second->said->second});
      }
    }
    return all;
  }

  // Returns the scale that the model expects, if the heads or the context of the table name it. A
  // scale that is not on the page is never given.
  Measure by_classifier() const {
    const auto best_scale = std::ranges::max_element(reading_.scales);
    const auto scale = static_cast<QaScale>(best_scale - reading_.scales.begin());
    return {is_table() && heads_name(passage_, scale) ? scale : QaScale::none, ""};
  }

  // Returns the measure of a figure; the model decides which of the named scales if none is stated
  // for it.
  Measure measured(const Place& place) const {
    return measure_of(passage_, place).value_or(by_classifier());
  }

  std::optional<PossibleAnswer> make_candidate(QaOperator operation,
                                               const Argument& argument) const {
    PossibleAnswer candidate;
    candidate.operation = operation;
    candidate.evidence = argument.places;
    switch (operation) {
      case QaOperator::span:
      case QaOperator::spans:
        for (const Place& place : argument.places) candidate.texts.push_back(text_at(place));
        candidate.measure = measure_of_pointed(argument.places.front());
        return candidate;
      case QaOperator::count:
        candidate.texts = {std::to_string(argument.places.size())};
        candidate.derivation = counted(argument.places);
        return candidate;
      case QaOperator::yes:
      case QaOperator::no:
        candidate.texts = {operation == QaOperator::yes ? "yes" : "no"};
        return candidate;
      default:
        return computed(std::move(candidate));
    }
  }

  // Returns the measure of a text that is quoted as printed. Words, years and texts with a scale of
  // their own need none.
  Measure measure_of_pointed(const Place& place) const {
    const std::string text = text_at(place);
    if (!text::number_of_cell(text) || says_scale(text) || is_bare_year(text)) return {};
    Measure measure = measured(place);
    const text::Units units{"", measure.currency, measure.things};
    return text::are_of_other_things(units, text::counted_terms(question_)) ? Measure{} : measure;
  }

  std::string counted(const std::vector<Place>& places) const {
    std::string all;
    for (const Place& place : places) all += (all.empty() ? "" : "; ") + text_at(place);
    return "count(" + all + ")";
  }

  std::optional<PossibleAnswer> computed(PossibleAnswer candidate) const {
    const QaOperator operation = candidate.operation;
    candidate.measure = measured(candidate.evidence.front());
    std::vector<Figure> figures;
    figures.reserve(candidate.evidence.size());
    for (const Place& place : candidate.evidence) {
      figures.push_back(in_scale(figure_at(place), place, candidate.measure.scale));
    }
    const bool quotient = operation == QaOperator::ratio || operation == QaOperator::change;
    // The scale and the currency of the figures cancel out.
    if (quotient) candidate.measure = {quotient_scale(operation), ""};
    const auto value =
        compute(operation, figures, quotient && candidate.measure.scale == QaScale::percent);
    if (!value) return std::nullopt;
    candidate.texts = {value->text};
    candidate.derivation = value->derivation;
    return candidate;
  }

  // Returns the figure in the wanted scale: "900 thousand" next to "4.2 million" is 0.9.
  Figure in_scale(const Figure& figure, const Place& place, QaScale wanted) const {
    const auto own = measure_of(passage_, place);
    const bool alike = !own || own->scale == wanted || own->scale == QaScale::percent ||
                       wanted == QaScale::percent;
    return alike ? figure : scaled(figure, factor(own->scale) / factor(wanted));
  }

  // A ratio is in per cent if the question asks for that, or if the model prefers it to no scale.
  QaScale quotient_scale(QaOperator operation) const {
    const auto thinks = [&](QaScale scale) {
      return reading_.scales[static_cast<std::size_t>(scale)];
    };
    const bool percent = operation == QaOperator::change || asks_percent_ ||
                         thinks(QaScale::percent) > thinks(QaScale::none);
    return percent ? QaScale::percent : QaScale::none;
  }

  const std::string& question_;
  bool asks_percent_;
  const QaPassage& passage_;
  const PassageReading& reading_;
  std::vector<Unit> units_;
};

// Returns log-probabilities of the passages, followed by that of "no passage has the answer".
std::vector<double> log_relevance(std::span<const PassageReading> readings) {
  double most = 0;
  for (const PassageReading& reading : readings) most = std::max(most, reading.relevance);
  double sum = std::exp(-most);
  for (const PassageReading& reading : readings) sum += std::exp(reading.relevance - most);
  std::vector<double> logs;
  for (const PassageReading& reading : readings) {
    logs.push_back(reading.relevance - most - std::log(sum));
  }
  logs.push_back(-most - std::log(sum));
  return logs;
}

// Returns a figure with its scale, if the text does not state it.
std::string with_scale(const std::string& text, QaScale scale, const std::string& currency) {
  if (scale == QaScale::none) return text;
  if (scale == QaScale::percent) return text + "%";
  const bool is_bare =
      std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '(';
  return (is_bare ? currency : "") + text + " " +
         std::string(models::kQaScaleNames[static_cast<std::size_t>(scale)]);
}

std::string printed(QaOperator operation, const std::vector<std::string>& texts, QaScale scale,
                    const std::string& currency) {
  if (operation == QaOperator::yes) return "Yes";
  if (operation == QaOperator::no) return "No";
  std::string all;
  for (const std::string& text : texts) {
    all += (all.empty() ? "" : ", ") + with_scale(text, scale, currency);
  }
  return all;
}

std::string printed(const PossibleAnswer& answer) {
  return printed(answer.operation, answer.texts, answer.measure.scale, answer.measure.currency);
}

// Candidates that say the same.
struct SameAnswers {
  double share = 0;  // their probability, relative to that of the best candidate of all
  PossibleAnswer* best = nullptr;
};

// Returns the answers, the most probable first.
std::vector<SameAnswers> by_answer(std::vector<PossibleAnswer>* candidates, double most) {
  std::map<std::string, SameAnswers> by_key;
  for (PossibleAnswer& one : *candidates) {
    SameAnswers& same = by_key[one.key()];
    same.share += std::exp(one.log_probability - most);
    // The best candidate provides the evidence; the others only add to the probability.
    if (same.best == nullptr || one.log_probability > same.best->log_probability) same.best = &one;
  }
  std::vector<SameAnswers> answers;
  for (const auto& [key, same] : by_key) answers.push_back(same);
  std::ranges::stable_sort(answers, std::greater<>(), &SameAnswers::share);
  return answers;
}

// Takes the best candidate of the most probable answer.
void choose(std::vector<PossibleAnswer> candidates, Execution* execution) {
  if (candidates.empty()) return;
  const double most =
      std::ranges::max_element(candidates, {}, &PossibleAnswer::log_probability)->log_probability;
  const std::vector<SameAnswers> answers = by_answer(&candidates, most);
  for (const SameAnswers& one : answers | std::views::take(kMostAnswers)) {
    execution->answers.push_back({printed(*one.best), std::min(1.0, one.share * std::exp(most))});
  }
  execution->probability = execution->answers.front().probability;
  PossibleAnswer* best = answers.front().best;
  execution->passage = best->passage;
  execution->operation = best->operation;
  execution->texts = std::move(best->texts);
  execution->evidence = std::move(best->evidence);
  execution->derivation = std::move(best->derivation);
  execution->scale = best->measure.scale;
  execution->currency = std::move(best->measure.currency);
}

}  // namespace

Execution execute(const std::string& question, std::span<const QaPassage> passages,
                  std::span<const PassageReading> readings) {
  Execution execution;
  if (readings.empty()) return execution;
  const std::vector<double> logs = log_relevance(readings);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    execution.relevance.push_back(std::exp(logs[i]));
  }
  execution.nothing = std::exp(logs.back());
  std::vector<PossibleAnswer> candidates;
  // Relative to the best passage, so that something is read even if all are improbable.
  const double least = std::log(kLeast) + *std::max_element(logs.begin(), logs.end() - 1);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (logs[i] < least) continue;
    for (PossibleAnswer& candidate :
         PassageAnswers(question, passages[i], readings[i]).candidates()) {
      candidate.passage = i;
      candidate.log_probability += logs[i];
      candidates.push_back(std::move(candidate));
    }
  }
  choose(std::move(candidates), &execution);
  return execution;
}

std::string answer_text(const Execution& execution) {
  return printed(execution.operation, execution.texts, execution.scale, execution.currency);
}

}  // namespace fineprint::evidence
