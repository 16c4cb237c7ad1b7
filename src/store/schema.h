// The tables of the catalogue and the number of their format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "store/sqlite.h"

namespace fineprint::store {

// SQLite's application_id of every catalogue.
inline constexpr std::int64_t kApplicationId = 0x46507274;  // "FPrt"
// SQLite's user_version of a catalogue: increased with every change of the tables or of the blobs
// in them. Stores of other formats are not converted, because a store can be made again from its
// documents.
inline constexpr std::int64_t kFormat = 8;

// Opens the catalogue for the writer, and makes the tables if there are none. Throws Error(store)
// if it belongs to another program or has another format, and does not change it then.
std::unique_ptr<Database> open_for_writing(const std::string& path);

// Opens the catalogue for reading. Throws as above, and also if there are no tables. On a folder
// without write access, SQLite cannot keep its shared-memory file. There, a catalogue that was
// closed cleanly is opened as a file that never changes.
std::unique_ptr<Database> open_for_reading(const std::string& path);

}  // namespace fineprint::store
