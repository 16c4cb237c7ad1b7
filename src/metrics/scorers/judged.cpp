// Scores from the stored replies of judge models: 1 to 5 (ViDoRAG, HKRAG), or right and wrong
// (MDocAgent, DMAP, MoLoRAG). Source: the rules of Alibaba-NLP/ViDoRAG and aiming-lab/MDocAgent.
#include <algorithm>
#include <optional>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/core/letter_case.h"

#include "metrics/python/numbers.h"
#include "metrics/scorers/catalogue.h"
#include "metrics/scorers/items.h"
#include "metrics/scorers/totals.h"

namespace fineprint::metrics {
namespace {

constexpr int kPassing = 4, kBest = 5;

std::string judge_reply(const Json& item) { return text_of(item, "judge_reply"); }

// Returns the first whole number of the reply, as the judge meant it: "10" is 10.
std::optional<int> first_number(const std::string& reply) {
  const std::size_t begin = reply.find_first_of("0123456789");
  if (begin == std::string::npos) return std::nullopt;
  int number = 0;
  for (std::size_t i = begin; i < reply.size() && digit_value(reply[i]) >= 0 && number < 1000;
       ++i) {
    number = number * 10 + digit_value(reply[i]);
  }
  return number;
}

// Grades from 1 to 5, of which 4 and 5 pass.
class VidoragJudge final : public Scorer {
 public:
  std::string name() const override { return "vidorag_judge"; }
  std::string help() const override {
    return "ViDoRAG's grade from 1 to 5: judge_reply (stored text) -> judge_score, passing (4 or "
           "more)";
  }

  ScoredItem score(const Json& item) const override {
    const std::string reply = judge_reply(item);
    ScoredItem out;
    const std::size_t at = reply.find_first_of("0123456789");
    if (at == std::string::npos) {
      out.error = "the reply contains no digit; the published code would ask again forever";
      out.fields = dump_json({{"judge_score", nullptr}, {"passing", false}});
      return out;
    }
    // The published code reads one digit, so "10" counts as 1 (quirk first_digit_alone).
    const int digit = reply[at] - '0';
    out.score = digit >= kPassing ? 1 : 0;
    out.fields = dump_json({{"judge_score", digit}, {"passing", digit >= kPassing}});
    if (const int number = *first_number(reply); number != digit) {
      out.quirks.emplace_back("first_digit_alone");
      out.standard = number >= kPassing && number <= kBest ? 1 : 0;
    }
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    Mean digits;
    Slices queries, sources;
    for (std::size_t i = 0; i < items.size(); ++i) {
      // Items with errors have no grade, so they are left out of this mean but not of the accuracy.
      const Json digit = parse_json(scores[i].fields, "a score").at("judge_score");
      if (!digit.is_null()) digits.add(digit.get<double>());
      if (const std::string type = optional_text(items[i], "query_type"); !type.empty()) {
        queries.add(type, scores[i].score);
      }
      if (const std::string type = optional_text(items[i], "source_type"); !type.empty()) {
        sources.add(type, scores[i].score);
      }
    }
    out["accuracy"] = mean_score(scores);
    out["mean_judge_score"] = digits.json();
    out["by_query_type"] = queries.json();
    out["by_source_type"] = sources.json();
    return out;
  }
};

// Reads the JSON from the first "{" to the last "}" and returns its binary_correctness as int()
// reads it.
std::optional<std::string> binary_of(const std::string& reply) {
  const std::size_t begin = reply.find('{'), end = reply.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  try {
    const Json object = parse_json(reply.substr(begin, end + 1 - begin), "a judge's reply");
    if (!object.is_object() || !object.contains("binary_correctness")) return std::nullopt;
    const Json& value = object.at("binary_correctness");
    if (value.is_number_float()) return python::truncated(value.get<double>());
    if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
    if (value.is_null() || value.is_structured()) return std::nullopt;
    return python::parse_int(text_of(object, "binary_correctness"));
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Right or wrong, from a reply in JSON.
class BinaryJudge final : public Scorer {
 public:
  std::string name() const override { return "binary_judge"; }
  std::string help() const override {
    return "MDocAgent's and MoLoRAG's binary grade: judge_reply (stored text) -> "
           "binary_correctness";
  }

  ScoredItem score(const Json& item) const override {
    ScoredItem out;
    const std::optional<std::string> value = binary_of(judge_reply(item));
    out.score = value == "1" ? 1 : 0;
    out.fields = dump_json({{"binary_correctness", value == "1" ? 1 : 0}});
    if (!value) {
      // The published code counts a reply that it cannot read as wrong.
      out.quirks.emplace_back("unread_reply_is_wrong");
    } else if (*value != "0" && *value != "1") {
      out.error = "the reply's binary_correctness is " + *value + ", which is neither 0 nor 1";
    }
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    Mean mean;
    for (const ScoredItem& item : scores) mean.add(item.score);
    out["accuracy"] = mean.json();
    const double share = mean.count == 0 ? 0 : mean.sum / static_cast<double>(mean.count);
    // The forms in which MDocAgent and MoLoRAG print it.
    out["three_decimals"] = python::round_to(share, 3);
    out["percent"] = python::round_to(100 * share, 2);
    return out;
  }
};

}  // namespace

const Scorer& vidorag_judge_scorer() {
  static const VidoragJudge scorer;
  return scorer;
}

const Scorer& binary_judge_scorer() {
  static const BinaryJudge scorer;
  return scorer;
}

}  // namespace fineprint::metrics
