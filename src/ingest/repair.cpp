// Drops the damaged parts of a store, and determines what to index to make it again.
#include "fineprint/ingest/repair.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace fineprint::ingest {

namespace {

// Returns the path to index so that `doc` gets the name that it has in the store: the file, or the
// folder above its relative path. Returns nullopt if path and name do not fit together.
std::optional<std::string> place_of(const store::DocumentRow& row) {
  if (!row.path.ends_with("/" + row.doc)) return std::nullopt;
  if (row.doc.find('/') == std::string::npos) return row.path;
  return row.path.substr(0, row.path.size() - row.doc.size() - 1);
}

std::set<std::string> places_of(const std::vector<store::DocumentRow>& rows) {
  std::set<std::string> out;
  for (const store::DocumentRow& row : rows) {
    if (auto place = place_of(row)) out.insert(*std::move(place));
  }
  return out;
}

}  // namespace

Repair repair(store::Store& store) {
  const auto before = places_of(store.documents());
  const std::vector<store::DocumentRow> damaged = store.repair();
  Repair out;
  for (const store::DocumentRow& row : damaged) out.documents.push_back(row.doc);
  out.dropped_states = store::PrefixFolder(store.dir()).remove_unusable();
  // A document whose own row is damaged is in one of the places of the other documents.
  std::set<std::string> places = places_of(damaged);
  if (std::ranges::any_of(damaged, [&](const auto& row) { return !store.find(row.doc); })) {
    places.insert(before.begin(), before.end());
  }
  std::erase_if(places, [](const std::string& place) {
    std::error_code unknown;  // such a place cannot be read either
    return !std::filesystem::exists(place, unknown);
  });
  out.places.assign(places.begin(), places.end());
  return out;
}

}  // namespace fineprint::ingest
