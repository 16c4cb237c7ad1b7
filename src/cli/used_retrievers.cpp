// Compares the encoders of --retriever with the vector sets of the scorers.
#include "cli/used_retrievers.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/retrieve/search.h"

#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

std::vector<std::string> scorers_of(std::span<const Settings> searches) {
  std::vector<std::string> scorers;
  for (const Settings& settings : searches) {
    for (std::string& scorer : scorers_with_vectors(settings)) scorers.push_back(std::move(scorer));
  }
  std::ranges::sort(scorers);
  const auto repeated = std::ranges::unique(scorers);
  scorers.erase(repeated.begin(), repeated.end());
  return scorers;
}

}  // namespace

void refuse_unused_retrievers(const session::Models& models, const store::Store& store,
                              std::span<const settings::Settings> searches) {
  const std::vector<std::string>& retrievers = models.options().retrievers;
  const std::vector<std::string> scorers = scorers_of(searches);
  std::set<std::string> scored;
  for (const std::string& scorer : scorers) scored.merge(retrieve::scored_sets({scorer}));
  std::vector<std::string> unused;
  for (const store::VectorSet& set : store.vector_sets()) {
    const bool is_named = std::ranges::any_of(
        retrievers, [&](const std::string& spec) { return models.encoder_hash(spec) == set.hash; });
    if (!is_named) continue;
    if (scored.contains(set.name)) return;
    unused.push_back(format("\"{}\"", set.name));
  }
  if (unused.empty()) return;
  throw Error(
      ErrorCode::usage,
      format("--retriever {} made the vectors {}, which --scorer {} does not use; name a "
             "scorer that does, or leave out --retriever",
             join_texts(retrievers, ","), join_texts(unused, ", "), join_texts(scorers, ",")));
}

}  // namespace fineprint::cli
