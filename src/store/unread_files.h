// Rows for files that could not be read.
#pragma once

#include <string>

#include "store/sqlite.h"

namespace fineprint::store {

void remove_unread_file(Database& database, const std::string& doc);

}  // namespace fineprint::store
