// The page states of a store, as generators see them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "fineprint/serving/kept_states.h"
#include "fineprint/store/states.h"

namespace fineprint::session {

// What is put is copied and written by a thread of the shelf's own, since a disk takes longer to
// have it for good than a GPU takes to read the page; put waits while `waiting_bytes` are still to
// be written. What waits is found, too. The end of the shelf waits until all is written.
// The store need not be open, and need not hold documents.
std::shared_ptr<serving::StateShelf> open_state_shelf(const std::string& store_dir,
                                                      const store::StateOptions& options,
                                                      std::size_t waiting_bytes = 500'000'000);

}  // namespace fineprint::session
