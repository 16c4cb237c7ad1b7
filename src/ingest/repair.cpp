// Drops what is damaged in a store, and finds what to index so that it is made anew.
#include "fineprint/ingest/repair.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace fineprint::ingest {

namespace {

// Where `doc` is found under the name that it has in the store: itself, or the folder above all of
// its relative path; nothing when the two do not fit together.
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
  out.dropped_states = store::StateFolder(store.dir()).remove_unusable();
  // A document whose own place is damaged lies somewhere in the places of the others.
  std::set<std::string> places = places_of(damaged);
  if (std::ranges::any_of(damaged, [&](const auto& row) { return !store.find(row.doc); })) {
    places.insert(before.begin(), before.end());
  }
  std::erase_if(places, [](const std::string& place) {
    std::error_code unknown;  // then it cannot be read either
    return !std::filesystem::exists(place, unknown);
  });
  out.places.assign(places.begin(), places.end());
  return out;
}

}  // namespace fineprint::ingest
