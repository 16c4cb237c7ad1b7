// Checksums over the rows of the catalogue.
//
// Tables that have many rows for a document get one sum for each document, in `document_sums`. In
// all other tables each row has its sum in the column `sum`. Sums are made where rows are written,
// and compared by verify(). SQLite itself would not notice a changed value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/sqlite.h"

namespace fineprint::store {

// Returns SQL for the sum that a row of `table` should have. If it differs from the column `sum`,
// the row is damaged.
std::string row_sum_of(std::string_view table);

// Returns how many rows of a table have a wrong sum.
std::int64_t damaged_rows(Database& database, std::string_view table);

// Writes the sums of all rows that match `condition`, in which ?1 is `id`.
void sum_rows(Database& database, std::string_view table, std::string_view condition,
              std::int64_t id);

// Deletes the rows that match `condition` and have a wrong sum.
void drop_damaged_rows(Database& database, std::string_view table, std::string_view condition,
                       std::int64_t id);

// Write the sums of a document: both its row and its text, or only the row, which restamp()
// changes.
void sum_document(Database& database, std::int64_t document);
void sum_document_row(Database& database, std::int64_t document);

// Returns true if the document's row in `documents` is as it was written.
bool row_is_sound(Database& database, std::int64_t document);
// Returns which part of a document is damaged, or nullopt if everything is sound.
std::optional<std::string> fault_of_document(Database& database, std::int64_t document);

}  // namespace fineprint::store
