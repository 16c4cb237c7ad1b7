// The prefix cache of a store, in the form that generators use.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "fineprint/serving/prefix_cache.h"
#include "fineprint/store/prefix_folder.h"

namespace fineprint::session {

// Returns the states of the store in `store_dir` as a shelf. put() copies the bytes, and a thread
// of the shelf writes them, because syncing a state to disk takes longer than a GPU takes to read a
// page. put() waits while `waiting_bytes` are still to be written. find() also finds states that
// wait. The destructor waits until everything is written. The store need not be open, and need not
// contain documents.
std::shared_ptr<serving::PrefixShelf> open_prefix_shelf(const std::string& store_dir,
                                                        const store::PrefixFolderOptions& options,
                                                        std::size_t waiting_bytes = 500'000'000);

}  // namespace fineprint::session
