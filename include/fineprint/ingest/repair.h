// Drops the damaged parts of a store, and determines what to index to make it again.
#pragma once

#include <string>
#include <vector>

#include "fineprint/store/prefix_folder.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// What `repair` found and dropped.
struct Repair {
  // documents that the next run reads again, by name in the store
  std::vector<std::string> documents;
  // Existing files and folders that hold these documents under these names. Pass them to `ingest`.
  std::vector<std::string> places;
  // Prefix-cache states that were dropped.
  store::PrefixCount dropped_states;
};

// Repairs a store. Throws Error(store) if the catalogue itself is damaged, see Store::repair().
Repair repair(store::Store& store);

}  // namespace fineprint::ingest
