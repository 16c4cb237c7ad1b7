// Decides which vector sets a run brings up to date, and opens their models.
#include "ingest/set_plan.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/remote/served_models.h"
#include "fineprint/retrieve/search.h"

#include "ingest/reading_settings.h"

namespace fineprint::ingest {

bool is_over_elements(const PlannedSet& planned) {
  return planned.set.unit == store::VectorUnit::element;
}

bool sees_pictures(const PlannedSet& planned) { return !planned.set.input.empty(); }

namespace {

using Sets = std::vector<PlannedSet>;

constexpr const char* kText = "text";

bool is_named(const Sets& sets, const std::string& name) {
  return std::any_of(sets.begin(), sets.end(),
                     [&](const PlannedSet& one) { return one.set.name == name; });
}

// Returns "late", or "late-2" and so on if there are others.
std::string free_name(const Sets& sets, const std::string& kind) {
  std::string name = kind;
  for (int number = 2; is_named(sets, name); ++number)
    name = fineprint::format("{}-{}", kind, number);
  return name;
}

// Page encoders see pictures of a certain size, which is part of the set's identity.
std::string input_of(const KnownEncoder& encoder) {
  return models::sees_pages(encoder.kind) ? models::to_string(encoder.raster) : std::string();
}

// Elements have sets of a kind of their own, so that no scorer of pages finds them.
std::string kind_of(const KnownEncoder& encoder, store::VectorUnit unit) {
  const std::string kind(models::kind_name(encoder.kind));
  return unit == store::VectorUnit::element ? store::elements_set(kind) : kind;
}

// By the hash and not by the name, because a folder may hold another model than before.
bool is_made_by(const store::VectorSet& set, const KnownEncoder& encoder) {
  return set.kind == kind_of(encoder, set.unit) && set.input == input_of(encoder) &&
         set.hash == encoder.hash();
}

store::VectorSet new_set(const KnownEncoder& encoder, const IngestOptions& options,
                         const Sets& sets) {
  store::VectorSet set;
  set.kind = models::kind_name(encoder.kind);
  set.name = free_name(sets, set.kind);
  set.unit = models::sees_pages(encoder.kind) ? store::VectorUnit::page : store::VectorUnit::chunk;
  set.many_vectors = models::gives_many_vectors(encoder.kind);
  set.model = encoder.name;
  set.hash = encoder.hash();
  set.input = input_of(encoder);
  set.spec = encoder.spec;
  set.dim = encoder.dim > 0 ? encoder.dim : encoder.asked_dim();
  // Posting lists have a format of their own and no vectors to pool, and one vector cannot be
  // pooled, so the options say nothing about such sets.
  if (store::is_sparse(set)) return set;
  set.format = options.vector_format.value_or(store::VectorFormat{});
  if (set.many_vectors) set.pool_factor = std::max(1, options.pool_factor.value_or(1));
  return set;
}

[[noreturn]] void refuse_change(const store::VectorSet& set, const std::string& has,
                                const std::string& wanted, const char* flag) {
  throw Error(
      ErrorCode::usage,
      fineprint::format("the vector set \"{}\" has {}, not {}; leave out {} to continue with "
                        "it, or drop it with --drop-set {} to make it again",
                        set.name, has, wanted, flag, set.name));
}

// Vectors that are stored in two ways cannot be one set. An option that is not given keeps the way
// of the set.
void check_unchanged(const store::VectorSet& set, const IngestOptions& options) {
  if (store::is_sparse(set)) return;
  if (options.vector_format && *options.vector_format != set.format) {
    refuse_change(set, store::to_string(set.format), store::to_string(*options.vector_format),
                  "--vector-dtype");
  }
  if (options.pool_factor && set.many_vectors &&
      std::max(1, *options.pool_factor) != set.pool_factor) {
    refuse_change(set, fineprint::format("the pool factor {}", set.pool_factor),
                  std::to_string(*options.pool_factor), "--pool-factor");
  }
}

// Uses the set that this model made before, or adds a new one.
void add_retriever(KnownEncoder encoder, const IngestOptions& options, Sets* sets) {
  for (PlannedSet& one : *sets) {
    if (is_over_elements(one) || !is_made_by(one.set, encoder)) continue;
    check_unchanged(one.set, options);
    // The model may have been moved since: the store remembers its latest place.
    one.set.spec = encoder.spec;
    one.set.model = encoder.name;
    one.wanted = true;
    one.encoder = std::move(encoder);
    return;
  }
  PlannedSet added{.set = new_set(encoder, options, *sets), .wanted = true, .encoder = {}};
  added.encoder = std::move(encoder);
  sets->push_back(std::move(added));
}

// Returns the vector set of a scorer. For example, "late:0.5" is the scorer "late" with a weight,
// and "hybrid-mask" scores the vectors of the set "page".
std::string set_of_scorer(const std::string& scorer) {
  constexpr std::string_view kHybrid = "hybrid-mask";
  const std::string name = scorer.substr(0, scorer.find(':'));
  return name.starts_with(kHybrid) ? "page" + name.substr(kHybrid.size()) : name;
}

PlannedSet* find_set(Sets& sets, const std::string& name) {
  const auto found = std::find_if(sets.begin(), sets.end(),
                                  [&](const PlannedSet& one) { return one.set.name == name; });
  return found == sets.end() ? nullptr : &*found;
}

PlannedSet* first_of_kind(Sets& sets, const std::string& kind) {
  const auto found = std::find_if(sets.begin(), sets.end(),
                                  [&](const PlannedSet& one) { return one.set.kind == kind; });
  return found == sets.end() ? nullptr : &*found;
}

// Returns whether a set's spec means the encoder that the setup installed.
bool is_default(const std::string& spec) { return spec.empty() || spec == models::kNewTextSets; }

// Throws Error(usage) if no scorer of vectors has this name, before a set of that name is missed:
// nobody can make a set for a misspelt scorer.
void check_is_scorer(const std::string& scorer) {
  const std::string name = scorer.substr(0, scorer.find(':'));
  const std::vector<std::string> known = retrieve::scorer_names();
  // "late-2" is "late" over another set, so a number may follow the name.
  const bool is_known = std::ranges::any_of(known, [&](const std::string& one) {
    return name.starts_with(one) &&
           name.find_first_not_of("-0123456789", one.size()) == std::string::npos;
  });
  if (is_known) return;
  throw Error(ErrorCode::usage,
              fineprint::format("cannot prepare the scorer \"{}\": documents are prepared for {}; "
                                "a pipeline that finds pages has no vectors of its own, so give "
                                "the model of the vectors that it needs as --retriever",
                                scorer, join_texts(known, ", ")));
}

// Marks the set that a scorer needs as wanted, and adds a set of the default text encoder if
// needed.
void want(const std::string& scorer, const IngestOptions& options, const FindEncoder& find,
          Sets* sets) {
  check_is_scorer(scorer);
  const std::string name = set_of_scorer(scorer);
  // Terms are always indexed.
  if (name == "bm25") return;
  if (name == kText && first_of_kind(*sets, kText) == nullptr) {
    return add_retriever(find(std::string(models::kNewTextSets)), options, sets);
  }
  PlannedSet* set = find_set(*sets, name);
  // A set with a number will do, in which another model has embedded the texts.
  if (set == nullptr && name == kText) set = first_of_kind(*sets, kText);
  if (set == nullptr) {
    throw Error(ErrorCode::usage,
                fineprint::format("cannot prepare the scorer \"{}\": the store has no vector "
                                  "set \"{}\"; name the model that makes it with --retriever",
                                  scorer, name));
  }
  set->wanted = true;
}

// Returns the set of elements that belongs to a set of pages or chunks and uses the same model.
PlannedSet elements_set_for(const PlannedSet& planned) {
  PlannedSet elements = planned;
  elements.set.name = store::elements_set(planned.set.name);
  elements.set.kind = store::elements_set(planned.set.kind);
  elements.set.unit = store::VectorUnit::element;
  return elements;
}

// Adds sets of elements: the existing ones and, if asked for, missing ones.
void plan_elements(const IngestOptions& options, Sets* sets) {
  for (std::size_t i = 0, before = sets->size(); i < before; ++i) {
    // A copy, because push_back() below may move the sets.
    const PlannedSet one = (*sets)[i];
    // No pipeline ranks elements by posting lists.
    if (is_over_elements(one) || !one.wanted || store::is_sparse(one.set)) continue;
    PlannedSet* known = find_set(*sets, store::elements_set(one.set.name));
    if (known != nullptr) {
      *known = elements_set_for(one);
    } else if (options.elements) {
      sets->push_back(elements_set_for(one));
    }
  }
}

// Finds the model that a set came from. Throws what `find` throws, with advice.
KnownEncoder find_again(const store::VectorSet& set, const FindEncoder& find) {
  // A store may come from somebody else. Its address gets no text, and no API key, unless the user
  // names it.
  if (remote::names_served_encoder(set.spec)) {
    throw Error(ErrorCode::usage,
                fineprint::format("the vector set \"{}\" was made by {} on a server, and servers "
                                  "are asked only if you name them: give --retriever {} (or the "
                                  "same model elsewhere), leave its vectors out with --scorer "
                                  "bm25, or drop the set with --drop-set {}",
                                  set.name, set.model, set.spec, set.name));
  }
  try {
    return find(set.spec);
  } catch (const Error& error) {
    throw Error(error.code(),
                fineprint::format("cannot open the model of the vector set \"{}\": {}; say "
                                  "where it is now with --retriever, or drop the set with "
                                  "--drop-set {}",
                                  set.name, std::string_view(error.what()), set.name));
  }
}

// Returns whether the encoder's tokenizer measured the chunks of a stored document.
bool measured_something(const KnownEncoder& encoder, const IngestOptions& options,
                        const std::vector<store::DocumentRow>& documents) {
  const ReadingSettings settings(options, encoder);
  return std::any_of(documents.begin(), documents.end(), [&](const store::DocumentRow& row) {
    return settings.mean_the_same_as(row.settings, row.path);
  });
}

}  // namespace

std::vector<PlannedSet> plan_sets(const IngestOptions& options, const FindEncoder& find,
                                  std::vector<store::VectorSet> known) {
  Sets sets;
  for (store::VectorSet& set : known)
    sets.push_back({.set = std::move(set), .wanted = false, .encoder = {}});
  for (const std::string& spec : options.retrievers) add_retriever(find(spec), options, &sets);
  // Without --scorer, every set that exists is brought up to date, and the default search gets its
  // texts.
  if (options.scorers.empty()) {
    for (PlannedSet& one : sets) one.wanted = true;
    want(kText, options, find, &sets);
  }
  for (const std::string& scorer : options.scorers) want(scorer, options, find, &sets);
  plan_elements(options, &sets);
  return sets;
}

const KnownEncoder& encoder_of(PlannedSet& planned, const FindEncoder& find) {
  if (planned.encoder) return *planned.encoder;
  const store::VectorSet& set = planned.set;
  KnownEncoder found = find_again(set, find);
  if (!is_made_by(set, found)) {
    throw Error(
        ErrorCode::model,
        fineprint::format("{} is no longer the model that made the vector set \"{}\" "
                          "({}, {}); say where that model is with --retriever, or drop the set "
                          "with --drop-set {}",
                          is_default(set.spec) ? "the default text encoder" : set.spec, set.name,
                          set.model, set.hash, set.name));
  }
  return planned.encoder.emplace(std::move(found));
}

std::unique_ptr<models::Encoder> load_encoder(PlannedSet& planned, const FindEncoder& find) {
  auto encoder = encoder_of(planned, find).load();
  // The facts of a model and its network come from different code, so they are compared once.
  if (encoder->dim() == planned.set.dim) return encoder;
  if (planned.encoder->dim == 0) {
    throw Error(ErrorCode::model,
                fineprint::format("{} now returns vectors of {} values as {}, but the vector set "
                                  "\"{}\" has {}; serve the model that made the set, or drop the "
                                  "set with --drop-set {}",
                                  planned.encoder->spec, encoder->dim(), encoder->name(),
                                  planned.set.name, planned.set.dim, planned.set.name));
  }
  throw Error(ErrorCode::internal,
              fineprint::format("{} returns vectors of {} values instead of {}", encoder->name(),
                                encoder->dim(), planned.set.dim));
}

KnownEncoder measuring_encoder(std::vector<PlannedSet>& sets, const IngestOptions& options,
                               const FindEncoder& find,
                               const std::vector<store::DocumentRow>& documents) {
  PlannedSet* text = first_of_kind(sets, kText);
  // Chunks are measured even if nothing embeds them, because a later set needs them.
  // A server does not give its tokenizer, so the default one measures for it.
  if (text == nullptr || remote::names_served_encoder(text->set.spec)) return find("");
  const KnownEncoder first = text->encoder ? *text->encoder : find_again(text->set, find);
  if (is_default(first.spec) || documents.empty() ||
      measured_something(first, options, documents)) {
    return first;
  }
  try {
    KnownEncoder other = find("");
    if (measured_something(other, options, documents)) return other;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::model) throw;
  }
  return first;
}

void drop_sets(const std::vector<std::string>& names, store::Store& store) {
  for (const std::string& name : names) {
    const std::vector<store::VectorSet> sets = store.vector_sets();
    if (std::ranges::find(sets, name, &store::VectorSet::name) == sets.end()) {
      const std::string known = join_texts(sets, ", ", &store::VectorSet::name);
      throw Error(ErrorCode::usage,
                  fineprint::format("the store has no vector set \"{}\"; it has: {}", name,
                                    known.empty() ? "none" : known));
    }
    store.remove_set(name);
    store.remove_set(store::elements_set(name));
  }
  if (!names.empty()) store.compact();  // frees what only these sets held
}

}  // namespace fineprint::ingest
