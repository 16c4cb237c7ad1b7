// Checksums over the rows of the catalogue.
//
// Tables of which a document has many rows have one sum a document, in `document_sums`; every row
// of the others carries its own in the column `sum`. All are made where the rows are written and
// compared by verify(); SQLite itself would not notice a changed value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/sqlite.h"

namespace fineprint::store {

// SQL for the sum that a row of a table should have: where it differs from the column `sum`, the
// row is not as it was written.
std::string row_sum_of(std::string_view table);

// How many rows of a table do not carry the sum that they should.
std::int64_t damaged_rows(Database& database, std::string_view table);

// Makes the sums of the rows for which `condition` holds, which binds `id` as ?1.
void sum_rows(Database& database, std::string_view table, std::string_view condition,
              std::int64_t id);

// Deletes those of which the sum is wrong.
void drop_damaged_rows(Database& database, std::string_view table, std::string_view condition,
                       std::int64_t id);

// Makes the sums over a document and its text; over what `restamp` changes only.
void sum_document(Database& database, std::int64_t document);
void sum_document_row(Database& database, std::int64_t document);

// Whether the row in `documents` is as it was written.
bool row_is_sound(Database& database, std::int64_t document);
// What of a document is not as it was written; nullopt when all is.
std::optional<std::string> fault_of_document(Database& database, std::int64_t document);

}  // namespace fineprint::store
