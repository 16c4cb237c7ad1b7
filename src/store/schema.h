// The tables of the catalogue and their version.
#pragma once

#include <memory>
#include <string>

#include "store/sqlite.h"

namespace fineprint::store {

// SQLite's user_version of a catalogue that this program writes. Raised with every migration.
int schema_version();

// Opens the catalogue for the writer: makes it when it is new, brings an older one up to date.
// Throws Error(store) when it is not a fineprint catalogue or newer than this program.
std::unique_ptr<Database> open_for_writing(const std::string& path);

// Opens it for reading. On a folder that cannot be written to, where SQLite cannot keep its
// shared-memory file, a catalogue that was closed cleanly is opened as one that never changes.
std::unique_ptr<Database> open_for_reading(const std::string& path);

}  // namespace fineprint::store
