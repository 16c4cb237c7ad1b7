// Searches several stores as one.
#pragma once

#include <string>
#include <vector>

namespace fineprint::library {

// Returns the folder of the store to search. If `stores` names one store, it is that one. If it
// names several, they are joined into a store in the user's cache folder; this is repeated, with a
// message, if one of them has changed since. Throws what ingest::join_stores throws if the stores
// cannot be joined.
std::string searched_store(const std::string& stores);

// Returns the folders that `stores` names, with commas between. The name of an existing folder may
// contain a comma. For example, "2022.store,2023.store" names two.
std::vector<std::string> store_dirs(const std::string& stores);

}  // namespace fineprint::library
