// Ranks the pages of a pool for a question.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/score/mixture.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// How several scorers become one ranking: the weighted sum of their scores, which all lie in about
// 0..1; the same of their z-scores; or by their ranks (reciprocal rank fusion).
enum class Fusion { weighted, zscore, rrf };

struct SearchOptions {
  std::vector<std::string> scorers = {"bm25", "text"};  // "NAME" or "NAME:WEIGHT"
  Fusion fusion = Fusion::weighted;
  std::vector<std::string> docs;  // limits the pool
  int k = 10;
  bool adaptive = false;                     // K by the mixture; `k` is then its upper bound
  score::AdaptiveKOptions adaptive_options;  // but for its top_k, which is `k`
};

// A page that was found. `chunk` (dense number) is the one that scored best for it.
struct FoundPage {
  std::uint32_t page = 0;  // dense number
  double score = 0;
  std::vector<NamedScore> scores;
  std::optional<std::uint32_t> chunk;
};

// Best first. Throws Error(usage) for a scorer that does not exist, Error(store) for one that the
// store was not prepared for.
std::vector<FoundPage> search(session::Context& context, const std::string& query,
                              const SearchOptions& options);

// The names that `SearchOptions::scorers` knows.
std::vector<std::string> scorer_names();

// With snippet and boxes, ready to print.
std::vector<Hit> to_hits(const session::Context& context, const std::string& query,
                         const std::vector<FoundPage>& pages);

}  // namespace fineprint::retrieve
