// ViDoRAG's measures of a ranking over ViDoSeek. Source: the rules of Alibaba-NLP/ViDoRAG's
// evaluation of retrieval.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "metrics/python/text.h"
#include "metrics/scorers/catalogue.h"
#include "metrics/scorers/items.h"
#include "metrics/scorers/totals.h"

namespace fineprint::metrics {
namespace {

constexpr std::size_t kReportedCut = 5;
constexpr std::array<std::size_t, 3> kVidoragCuts = {1, 5, 10};

struct RankedQuery {
  std::set<std::string> gold;
  std::vector<std::string> ranking;
};

struct VidoragScores {
  double recall = 0, hit = 0, ndcg = 0, mrr = 0;
};

// Returns the base name up to the first point, as published (quirk dotted_names).
std::string before_point(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return std::string(path.substr(0, path.find('.')));
}

// Returns the base name up to the last point, which is right for names with several points.
std::string whole_stem(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return std::string(path.substr(0, path.rfind('.')));
}

// Pages are named FILE_PAGE, as ViDoSeek's images are.
RankedQuery query_of(const Json& example, std::string (*stem)(std::string_view)) {
  RankedQuery query;
  const std::string file = stem(text_of(example, "file_name"));
  for (const std::int64_t page : numbers_of(example, "reference_page")) {
    query.gold.insert(format("{}_{}", file, page));
  }
  for (const std::string& name : texts_of(example, "retrieved"))
    query.ranking.push_back(stem(name));
  return query;
}

// Measures the first k pages. With `unique`, a repeated page gains nothing.
VidoragScores measured(const RankedQuery& query, std::size_t k, bool unique) {
  VidoragScores out;
  if (query.gold.empty()) return out;
  std::set<std::string> found;
  double gain = 0, ideal = 0;
  const std::size_t places = std::min(k, query.ranking.size());
  for (std::size_t i = 0; i < places; ++i) {
    if (!query.gold.contains(query.ranking[i])) continue;
    // The first gold page only.
    if (out.mrr == 0) out.mrr = 1 / static_cast<double>(i + 1);
    const bool is_new = found.insert(query.ranking[i]).second;
    if (is_new || !unique) gain += 1 / std::log2(static_cast<double>(i + 2));
  }
  for (std::size_t i = 0; i < std::min(query.gold.size(), k); ++i) {
    ideal += 1 / std::log2(static_cast<double>(i + 2));
  }
  out.recall = static_cast<double>(found.size()) / static_cast<double>(query.gold.size());
  out.hit = found.empty() ? 0 : 1;
  out.ndcg = ideal == 0 ? 0 : gain / ideal;
  return out;
}

// Returns true if the file name has several points, so that the published code loses its page.
bool loses_its_page(const Json& example) {
  const std::string file = text_of(example, "file_name");
  return before_point(file) != whole_stem(file);
}

// Means of the four measures under their published names.
class Means {
 public:
  void add(const VidoragScores& scores) {
    recall_.add(scores.recall);
    hit_.add(scores.hit);
    ndcg_.add(scores.ndcg);
    mrr_.add(scores.mrr);
  }
  void write(const std::string& cut, Json* out) const {
    (*out)["Recall@" + cut] = recall_.json();
    (*out)["Hit rate@" + cut] = hit_.json();
    (*out)["nDCG@" + cut] = ndcg_.json();
    (*out)["MRR@" + cut] = mrr_.json();
  }

 private:
  Mean recall_ = {}, hit_ = {}, ndcg_ = {}, mrr_ = {};
};

// Returns the results of a run as published. For "all", the cut is the length of the first query's
// list, but recall uses each complete list (quirk cut_of_first_query).
Json published_results(const std::vector<Json>& examples) {
  std::vector<RankedQuery> queries;
  for (const Json& example : examples) queries.push_back(query_of(example, before_point));
  Means all;
  const std::size_t first = queries.empty() ? 0 : queries.front().ranking.size();
  for (const RankedQuery& query : queries) {
    VidoragScores scores = measured(query, first, false);
    scores.recall = measured(query, query.ranking.size(), false).recall;
    all.add(scores);
  }
  Json out = Json::object();
  all.write("all", &out);
  for (const std::size_t k : kVidoragCuts) {
    Means means;
    for (const RankedQuery& query : queries) means.add(measured(query, k, false));
    means.write(format("{}", k), &out);
  }
  return out;
}

// Returns the results by complete names and lists, with each page counted once.
Json honest_results(const std::vector<Json>& examples) {
  Means all;
  std::array<Means, kVidoragCuts.size()> cuts;
  for (const Json& example : examples) {
    const RankedQuery query = query_of(example, whole_stem);
    all.add(measured(query, query.ranking.size(), true));
    for (std::size_t c = 0; c < kVidoragCuts.size(); ++c) {
      cuts[c].add(measured(query, kVidoragCuts[c], true));
    }
  }
  Json out = Json::object();
  all.write("all", &out);
  for (std::size_t c = 0; c < kVidoragCuts.size(); ++c) {
    cuts[c].write(format("{}", kVidoragCuts[c]), &out);
  }
  return out;
}

// Returns the queries of an item: the item itself, or those of a complete run.
std::vector<Json> examples_of(const Json& item) {
  if (!item.is_object() || !item.contains("examples")) return {item};
  if (!item.at("examples").is_array()) refuse_field("examples", "must be a list of queries");
  return item.at("examples").get<std::vector<Json>>();
}

class VidoragRetrieval final : public Scorer {
 public:
  std::string name() const override { return "vidorag_retrieval"; }
  std::string help() const override {
    return "ViDoRAG: file_name, reference_page, retrieved, or a whole run as examples -> results "
           "(Recall, Hit rate, nDCG, MRR @all, 1, 5, 10); the score is nDCG@5";
  }

  ScoredItem score(const Json& item) const override {
    const std::vector<Json> examples = examples_of(item);
    const Json published = published_results(examples), honest = honest_results(examples);
    ScoredItem out;
    const std::string reported = format("nDCG@{}", kReportedCut);
    if (!published.at(reported).is_null()) out.score = published.at(reported).get<double>();
    out.fields = dump_json({{"results", published}});
    if (std::ranges::any_of(examples, loses_its_page)) out.quirks.emplace_back("dotted_names");
    if (std::ranges::any_of(examples, repeats_gold)) out.quirks.emplace_back("repeats_gain");
    if (has_other_lengths(examples)) out.quirks.emplace_back("cut_of_first_query");
    // The standard differs from the published score only if a quirk had an effect.
    if (published != honest && !honest.at(reported).is_null()) {
      out.standard = honest.at(reported).get<double>();
    }
    return out;
  }

  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    std::vector<Json> all;
    for (const Json& item : items) {
      const std::vector<Json> examples = examples_of(item);
      all.insert(all.end(), examples.begin(), examples.end());
    }
    out["queries"] = all.size();
    out["results"] = published_results(all);
    out["standard_results"] = honest_results(all);
    for (const char* field : {"query_type", "source_type"}) {
      std::map<std::string, std::vector<Json>> groups;
      for (const Json& example : all) {
        const std::string group = optional_text(example, field);
        if (!group.empty()) groups[group].push_back(example);
      }
      Json by_group = Json::object();
      for (const auto& [group, examples] : groups) {
        by_group[group] = {{"items", examples.size()}, {"results", published_results(examples)}};
      }
      out[std::string("by_") + field] = by_group;
    }
    return out;
  }

 private:
  static bool repeats_gold(const Json& example) {
    const RankedQuery query = query_of(example, before_point);
    std::set<std::string> seen;
    return std::ranges::any_of(query.ranking, [&](const std::string& page) {
      return query.gold.contains(page) && !seen.insert(page).second;
    });
  }
  static bool has_other_lengths(const std::vector<Json>& examples) {
    return std::ranges::any_of(examples, [&](const Json& example) {
      return example.at("retrieved").size() != examples.front().at("retrieved").size();
    });
  }
};

}  // namespace

const Scorer& vidorag_retrieval_scorer() {
  static const VidoragRetrieval scorer;
  return scorer;
}

}  // namespace fineprint::metrics
