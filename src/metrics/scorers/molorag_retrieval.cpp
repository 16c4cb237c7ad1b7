// MoLoRAG's versions of the measures of a ranking, in per cent. Source: the rules of
// WxxShirley/MoLoRAG's evaluation of retrieval.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/metrics/ranking.h"

#include "metrics/python/numbers.h"
#include "metrics/scorers/catalogue.h"
#include "metrics/scorers/items.h"
#include "metrics/scorers/totals.h"

namespace fineprint::metrics {
namespace {

using Pages = std::vector<std::int64_t>;
constexpr std::array<std::size_t, 4> kMoloragCuts = {1, 3, 5, 10};
constexpr std::size_t kReported = 5;  // the cut whose nDCG is the score

bool is_among(const Pages& pages, std::int64_t page) {
  return std::ranges::find(pages, page) != pages.end();
}

// Counts the different gold pages among the first k.
double found_pages(const Pages& gold, const Pages& first) {
  const std::set<std::int64_t> wanted(gold.begin(), gold.end()), said(first.begin(), first.end());
  return static_cast<double>(
      std::ranges::count_if(said, [&](std::int64_t page) { return wanted.contains(page); }));
}

// As published, gain and ideal gain end with the shorter of ranking and gold (quirk short_ndcg).
double short_ndcg(const Pages& gold, const Pages& first, std::size_t k) {
  const std::size_t places = std::min({first.size(), gold.size(), k});
  double gain = 0, ideal = 0;
  for (std::size_t i = 0; i < places; ++i) {
    const double weight = 1 / std::log2(static_cast<double>(i + 2));
    ideal += weight;
    if (is_among(gold, first[i])) gain += weight;
  }
  return ideal == 0 ? 0 : gain / ideal;
}

// Reciprocal rank of the first gold page.
double first_rank(const Pages& gold, const Pages& first) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (is_among(gold, first[i])) return 1 / static_cast<double>(i + 1);
  }
  return 0;
}

double share_of(double part, std::size_t whole) {
  return whole == 0 ? 0 : part / static_cast<double>(whole);
}

// Converts to the input of the standard measures: each page once, gold as a set.
std::vector<PageRef> page_refs(const Pages& pages) {
  std::vector<PageRef> refs;
  std::set<std::int64_t> seen;
  for (const std::int64_t page : pages) {
    if (seen.insert(page).second) refs.push_back({"", static_cast<int>(page)});
  }
  return refs;
}

double usual_ndcg(const Pages& gold, const Pages& ranking, std::size_t k) {
  const std::vector<PageRef> wanted = page_refs(gold);
  return ndcg(page_refs(ranking), std::set<PageRef>(wanted.begin(), wanted.end()), k);
}

Pages pages_of(const Json& item, const char* field) {
  // A text may contain the list as a Python literal.
  if (item.is_object() && item.contains(field) && item.at(field).is_string()) {
    Pages pages;
    for (const std::string& page : listed(item, field)) {
      const auto number = python::parse_int(page);
      if (!number) refuse_field(field, "must list whole numbers");
      pages.push_back(std::stoll(*number));
    }
    return pages;
  }
  return numbers_of(item, field);
}

class MoLoRagRetrieval final : public Scorer {
 public:
  std::string name() const override { return "molorag_retrieval"; }
  std::string help() const override {
    return "MoLoRAG's measures of a ranking: evidence_pages, pages_ranking -> recall@k, "
           "precision@k, irrelevant@k, ndcg@k, mrr@k (percent); the score is ndcg@5";
  }

  ScoredItem score(const Json& item) const override {
    const Pages gold = pages_of(item, "evidence_pages");
    const Pages ranking = pages_of(item, "pages_ranking");
    ScoredItem out;
    Json fields = Json::object();
    for (const std::size_t k : kMoloragCuts) {
      const Pages first(ranking.begin(),
                        ranking.begin() + static_cast<std::ptrdiff_t>(std::min(k, ranking.size())));
      const double found = found_pages(gold, first);
      const double irrelevant = static_cast<double>(first.size()) - found;
      // The size of the list, so a repeated gold page counts twice (quirk repeated_gold).
      fields[format("recall@{}", k)] = 100 * share_of(found, gold.size());
      // As published, a short ranking is divided by its own length (quirk short_list_precision).
      fields[format("precision@{}", k)] = 100 * share_of(found, first.size());
      fields[format("irrelevant@{}", k)] = 100 * share_of(irrelevant, first.size());
      fields[format("ndcg@{}", k)] = 100 * short_ndcg(gold, first, k);
      fields[format("mrr@{}", k)] = 100 * first_rank(gold, first);
    }
    out.fields = dump_json(fields);
    out.score = short_ndcg(gold, ranking, kReported);
    add_quirks(gold, ranking, &out);
    return out;
  }

  // Returns means over the questions with evidence, in per cent with two decimals as numpy rounds,
  // and the standard nDCG.
  Json totals(const std::vector<Json>& items,
              const std::vector<ScoredItem>& scores) const override {
    Json out = counted(items, scores);
    std::vector<std::string> names;
    std::map<std::string, Mean> means;
    std::array<Mean, kMoloragCuts.size()> usual;
    std::int64_t without = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Pages gold = pages_of(items[i], "evidence_pages");
      // Questions without evidence have no defined recall.
      if (gold.empty()) {
        ++without;
        continue;
      }
      const Json fields = parse_json(scores[i].fields, "a score");
      for (const auto& [name, value] : fields.items()) {
        if (!means.contains(name)) names.push_back(name);
        means[name].add(value.get<double>());
      }
      const Pages ranking = pages_of(items[i], "pages_ranking");
      for (std::size_t c = 0; c < kMoloragCuts.size(); ++c) {
        usual[c].add(100 * usual_ndcg(gold, ranking, kMoloragCuts[c]));
      }
    }
    out["without_evidence"] = without;
    for (const std::string& name : names) out[name] = rounded(means[name]);
    for (std::size_t c = 0; c < kMoloragCuts.size(); ++c) {
      out[format("standard_ndcg@{}", kMoloragCuts[c])] = rounded(usual[c]);
    }
    return out;
  }

 private:
  static Json rounded(const Mean& mean) {
    if (mean.count == 0) return nullptr;
    return python::scaled_round(mean.sum / static_cast<double>(mean.count), 2);
  }

  static void add_quirks(const Pages& gold, const Pages& ranking, ScoredItem* out) {
    const double usual = usual_ndcg(gold, ranking, kReported);
    // Both are sums of doubles, so equal values may differ in the last bits.
    if (std::abs(usual - out->score) > 1e-12) {
      out->quirks.emplace_back("short_ndcg");
      out->standard = usual;
    }
    if (!ranking.empty() && ranking.size() < kMoloragCuts.back()) {
      out->quirks.emplace_back("short_list_precision");
    }
    if (page_refs(gold).size() < gold.size()) out->quirks.emplace_back("repeated_gold");
  }
};

}  // namespace

const Scorer& molorag_retrieval_scorer() {
  static const MoLoRagRetrieval scorer;
  return scorer;
}

}  // namespace fineprint::metrics
