// Replaces scorers whose vectors the store lacks by scorers that it can serve.
#include "retrieve/substitutes.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"

namespace fineprint::retrieve {
namespace {

using Names = std::vector<std::string>;

// Meaning is added to words if the store has vectors of texts.
Names by_words(const session::Session& session) {
  return session.has_vectors("text") ? Names{"bm25", "text"} : Names{"bm25"};
}

bool lacks(const session::Session& session, const ChosenScorer& scorer) {
  return !scorer.set.empty() && !session.has_vectors(scorer.set);
}

// Returns the replacements of a scorer, or an empty list if it needs none.
Names substitutes_of(const ChosenScorer& scorer, const session::Session& session) {
  if (!lacks(session, scorer)) return {};
  if (scorer.sight == Sight::image) {
    for (const char* other : {"late", "page"}) {
      if (session.has_vectors(other)) return {other};
    }
    return by_words(session);
  }
  return session.has_vectors("text") ? Names{"text"} : Names{"bm25"};
}

// Warns about each fallback once per process, because a batch falls back for every question.
// `remedy`: the option of `index` that helps, and other ways out.
void warn_once(const std::string& dir, const std::string& said, std::string_view remedy) {
  static std::mutex mutex;
  static std::set<std::string> warned;
  const std::lock_guard lock(mutex);
  if (!warned.insert(dir + "\n" + said).second) return;
  log::warn("{}: {}; `fineprint index PATH... --store {} {}; --strict makes this an error", dir,
            said, dir, remedy);
}

void tell_fallback(session::Context& context, const std::string& said, std::string_view remedy,
                   const Names& scorers) {
  warn_once(context.session.corpus().store().dir(), said, remedy);
  if (context.fallback.find(said) == std::string::npos) {
    context.fallback += (context.fallback.empty() ? "" : "; ") + said;
  }
  context.events.tell({.step = "fallback",
                       .fields = dump_json(Json{{"scorers", join_texts(scorers, ",")}}),
                       .line = said});
}

}  // namespace

Substituted substituted(const session::Session& session, const SearchOptions& options) {
  Substituted result{.options = options, .said = "", .remedy = ""};
  // A store without pages is searched without vectors, so nothing is missing.
  if (!options.substitute || session.corpus().page_count() == 0) return result;
  const std::vector<ChosenScorer> chosen = choose_scorers(options);
  Names& scorers = result.options.scorers;
  scorers.clear();
  Names added, missing;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Names others = substitutes_of(chosen[i], session);
    if (others.empty()) scorers.push_back(options.scorers[i]);
    added.insert(added.end(), others.begin(), others.end());
    if (!others.empty()) missing.push_back(chosen[i].name);
  }
  for (const std::string& name : added) {
    // A replacement that the options name anyway, perhaps with a weight, is not added again.
    const bool named = std::ranges::find(chosen, name, &ChosenScorer::name) != chosen.end();
    if (!named && std::ranges::find(scorers, name) == scorers.end()) scorers.push_back(name);
  }
  if (!missing.empty()) {
    result.said = format("{}: the store lacks these vectors, so pages are found by {}",
                         join_texts(missing, ","), join_texts(scorers, ","));
    const bool texts_alone = missing == Names{"text"};
    result.remedy = texts_alone ? "--scorer bm25,text` makes the vectors"
                                : "--retriever MODEL` makes the vectors";
    if (!texts_alone && !session.has_vectors("text")) {
      result.remedy += " (--scorer bm25,text makes the text vectors)";
    }
    result.remedy += format("; --scorer {} avoids this warning", join_texts(scorers, ","));
  }
  return result;
}

SearchOptions with_substitutes(session::Context& context, const SearchOptions& options) {
  const Substituted result = substituted(context.session, options);
  if (result.said.empty()) return result.options;
  tell_fallback(context, result.said, result.remedy, result.options.scorers);
  return result.options;
}

bool lacks_elements(const session::Session& session, const ChosenScorer& scorer) {
  return scorer.rank_elements != nullptr && !session.has_vectors(store::elements_set(scorer.set));
}

void tell_lacking_elements(session::Context& context, const SearchOptions& options) {
  if (!options.substitute || context.session.corpus().page_count() == 0) return;
  Names missing;
  for (const ChosenScorer& scorer : choose_scorers(options)) {
    if (lacks_elements(context.session, scorer)) missing.push_back(scorer.name);
  }
  if (missing.empty()) return;
  tell_fallback(context,
                format("{}: the store lacks these vectors of figures, tables and charts, so only "
                       "pages are ranked",
                       join_texts(missing, ",")),
                "--map heuristic --elements` makes the vectors", options.scorers);
}

}  // namespace fineprint::retrieve
