// Drops what is damaged in a store, and finds what to index so that it is made anew.
#pragma once

#include <string>
#include <vector>

#include "fineprint/store/states.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

struct Repair {
  std::vector<std::string> documents;  // that the next run reads again, as the store names them
  // Files, and folders above them, that are there and hold these documents under these names.
  std::vector<std::string> places;
  store::StateCount dropped_states;
};

// Throws Error(store) when the catalogue itself is damaged, see Store::repair().
Repair repair(store::Store& store);

}  // namespace fineprint::ingest
