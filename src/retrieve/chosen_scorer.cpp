// Parses the names of scorers in --scorer and finds their functions.
#include "retrieve/chosen_scorer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

namespace fineprint::retrieve {
namespace {

// A built-in scorer. A nullptr function means that it cannot rank units of that kind.
struct Scorer {
  const char* name;
  const char* kind;  // kind of its vector set; empty for keywords
  RankFunction rank;
  RankFunction rank_chunks;
  RankFunction rank_elements;
  Sight sight;
};

constexpr Scorer kScorers[] = {
    {"bm25", "", by_bm25, chunks_by_bm25, nullptr, Sight::text},
    {"text", "text", by_text, chunks_by_text, elements_by_text, Sight::text},
    {"page", "page", by_page, nullptr, by_page, Sight::image},
    {"hybrid-mask", "page", by_hybrid_mask, nullptr, by_hybrid_mask, Sight::image},
    {"late", "late", by_late, nullptr, by_late, Sight::image},
    {"late-text", "late-text", by_late_text, chunks_by_late_text, elements_by_late_text,
     Sight::text},
    {"sparse", "sparse", by_sparse, chunks_by_sparse, nullptr, Sight::text},
};

double weight_of(const std::string& text, std::size_t colon) {
  double weight = 1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, weight);
  if (error != std::errc() || stop != end || !std::isfinite(weight) || weight < 0) {
    throw Error(
        ErrorCode::usage,
        format("--scorer {}: expected NAME or NAME:WEIGHT, with a weight of 0 or more", text));
  }
  return weight;
}

// Returns where the base name ends: "late-2" is "late" and "-2"; a name without a number is all
// base.
std::size_t end_of_base(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos || dash + 1 == name.size()) return name.size();
  const bool is_number = name.find_first_not_of("0123456789", dash + 1) == std::string::npos;
  return is_number ? dash : name.size();
}

// All names that --scorer accepts, for error messages.
std::string joined_names(const std::vector<PageRanker>& rankers) {
  std::string names = join_texts(kScorers, ", ", &Scorer::name);
  for (const PageRanker& ranker : rankers) names += ", " + ranker.name;
  return names;
}

ChosenScorer choose_scorer(const std::string& text, const SearchOptions& options) {
  ChosenScorer chosen;
  const std::size_t colon = std::min(text.find(':'), text.size());
  if (colon < text.size()) chosen.weight = weight_of(text, colon);
  chosen.name = text.substr(0, colon);
  const auto ranker = std::ranges::find(options.rankers, chosen.name, &PageRanker::name);
  if (ranker != options.rankers.end()) {
    chosen.ranker = &*ranker;
    chosen.sight = Sight::image;
    return chosen;
  }
  const std::size_t base = end_of_base(chosen.name);
  const auto* found = std::ranges::find(kScorers, chosen.name.substr(0, base), &Scorer::name);
  // Keywords have no vector sets that could be numbered: "bm25-2" is unknown.
  const bool numbered = base < chosen.name.size();
  if (found == std::end(kScorers) || (numbered && found->kind[0] == '\0')) {
    throw Error(ErrorCode::usage, format("unknown scorer \"{}\"; choose one of: {}; \"late-2\" is "
                                         "\"late\" over the second set of its kind",
                                         text, joined_names(options.rankers)));
  }
  chosen.rank = found->rank;
  chosen.rank_first = found->rank == by_bm25 ? first_by_bm25 : nullptr;
  chosen.rank_chunks = found->rank_chunks;
  chosen.rank_elements = found->rank_elements;
  chosen.sight = found->sight;
  chosen.set = found->kind + chosen.name.substr(base);
  chosen.masks = found->rank == by_hybrid_mask || (found->rank == by_late && options.mask.late);
  return chosen;
}

std::vector<std::string> scorers_by(Sight sight, const SearchOptions& options) {
  std::vector<std::string> texts;
  const std::vector<ChosenScorer> chosen = choose_scorers(options);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i].sight == sight) texts.push_back(options.scorers[i]);
  }
  return texts;
}

}  // namespace

std::vector<ChosenScorer> choose_scorers(const SearchOptions& options) {
  if (options.scorers.empty()) {
    throw Error(ErrorCode::usage,
                "--scorer names no scorer, so no page can be found; name one, for example bm25");
  }
  std::vector<ChosenScorer> chosen;
  for (const std::string& text : options.scorers) {
    ChosenScorer scorer = choose_scorer(text, options);
    // A scorer that is named twice would count twice without anybody meaning it.
    if (std::ranges::find(chosen, scorer.name, &ChosenScorer::name) != chosen.end()) {
      throw Error(
          ErrorCode::usage,
          format("--scorer names {0} twice; to give it more weight, write {0}:2", scorer.name));
    }
    chosen.push_back(std::move(scorer));
  }
  return chosen;
}

std::set<std::string> scored_sets(const std::vector<std::string>& scorers) {
  std::set<std::string> sets;
  SearchOptions options;
  options.scorers = scorers;
  for (const ChosenScorer& scorer : choose_scorers(options)) {
    if (!scorer.set.empty()) sets.insert(scorer.set);
  }
  return sets;
}

std::vector<std::string> image_scorers(const SearchOptions& options) {
  return scorers_by(Sight::image, options);
}

std::vector<std::string> text_scorers(const SearchOptions& options) {
  return scorers_by(Sight::text, options);
}

std::vector<std::string> scorer_names() {
  std::vector<std::string> names;
  for (const Scorer& scorer : kScorers) names.emplace_back(scorer.name);
  return names;
}

}  // namespace fineprint::retrieve
