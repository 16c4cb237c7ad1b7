// Compares the languages of documents and questions with the languages that the store's encoder
// knows.
#include "fineprint/retrieve/language_advice.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/text/language.h"

namespace fineprint::retrieve {
namespace {

constexpr std::string_view kEnglishEncoder = "all-MiniLM-L6-v2";

// Returns whether only the default encoder made text vectors.
bool knows_english_alone(const store::Store& store) {
  return std::ranges::all_of(store.vector_sets(), [](const store::VectorSet& set) {
    return set.kind != "text" || set.model.starts_with(kEnglishEncoder);
  });
}

std::string names_of(const std::set<std::string>& languages) {
  std::set<std::string> names;
  for (const std::string& language : languages) names.insert(text::language_name(language));
  return join_texts(names, ", ");
}

// Returns the commands that replace the text vectors by multilingual ones.
std::string commands(const store::Store& store) {
  const auto sets = store.vector_sets();
  const bool has_text = std::ranges::find(sets, "text", &store::VectorSet::name) != sets.end();
  return format(
      "scripts/data/get-e5 (91 MB, once), then fineprint index PATH... --store {}{} --retriever "
      "e5",
      store.dir(), has_text ? " --drop-set text" : "");
}

}  // namespace

std::string index_advice(const store::Store& store) {
  if (!knows_english_alone(store)) return {};
  std::set<std::string> others;
  std::size_t count = 0;
  const std::vector<store::DocumentRow> documents = store.documents();
  for (const store::DocumentRow& row : documents) {
    const auto is_other = [](const std::string& language) { return !text::is_english(language); };
    if (!std::ranges::any_of(row.languages, is_other)) continue;
    ++count;
    std::ranges::copy_if(row.languages, std::inserter(others, others.end()), is_other);
  }
  if (count == 0) return {};
  return format(
      "{} of {} documents are in languages other than English ({}), which the default encoder does "
      "not know; questions in the same language find them by words only; to find them by meaning "
      "and across languages, run {}",
      count, documents.size(), names_of(others), commands(store));
}

std::string question_advice(const store::Store& store, const std::string& language) {
  std::set<std::string> stored;
  for (const store::DocumentRow& row : store.documents()) {
    stored.insert(row.languages.begin(), row.languages.end());
  }
  if (stored.empty() || stored.contains(language) || !knows_english_alone(store)) return {};
  return format(
      "the question is in {}, but no document is ({}): its words cannot match, and the default "
      "encoder knows only English; to search across languages, run {}",
      text::language_name(language), names_of(stored), commands(store));
}

void advise_once(const store::Store& store, const std::string& language) {
  static std::mutex mutex;
  static std::set<std::pair<std::string, std::string>> asked;
  {
    const std::lock_guard lock(mutex);
    // The lock ends before the advice is made, because reading the store takes time.
    if (!asked.emplace(store.id(), language).second) return;
  }
  if (const std::string advice = question_advice(store, language); !advice.empty()) {
    log::warn("{}: {}", store.dir(), advice);
  }
}

}  // namespace fineprint::retrieve
