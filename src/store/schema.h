// The tables of the catalogue and the number of their format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "store/sqlite.h"

namespace fineprint::store {

// SQLite's application_id of a catalogue.
inline constexpr std::int64_t kApplicationId = 0x46507274;  // "FPrt"
// SQLite's user_version of one: raised with every change of the tables or of what lies in their
// blobs. A store can be made anew from its documents, so none of another format is brought over.
inline constexpr std::int64_t kFormat = 8;

// Opens the catalogue for the writer, and makes its tables when it has none. Throws Error(store)
// when it is another program's or of another format, and leaves it as it is.
std::unique_ptr<Database> open_for_writing(const std::string& path);

// Opens it for reading; throws as above, and when there are no tables. On a folder that cannot be
// written to, where SQLite cannot keep its shared-memory file, a catalogue that was closed cleanly
// is opened as one that never changes.
std::unique_ptr<Database> open_for_reading(const std::string& path);

}  // namespace fineprint::store
