// The columns of a table that `fineprint table` makes: one question each, asked of every document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::sheet {

// What the cells of a column hold.
enum class ColumnType { text, number, money, date, yes_no, one_of };

// Returns the name of a type as files of columns spell it, for example "yes/no".
std::string_view type_name(ColumnType type);
// Returns the type of such a name, or nullopt if there is none.
std::optional<ColumnType> type_named(std::string_view name);

struct Column {
  std::string name;      // the head; unique in a table
  std::string question;  // what each document is asked
  ColumnType type = ColumnType::text;
  // Of numbers: the unit as documents print it ("kg"). Of money: an ISO 4217 code ("EUR"). Values
  // in another unit are left out. Empty: any unit, which the table then shows in a column of its
  // own.
  std::string unit = {};
  // What documents print before or above the value, the most certain label first. If the file gives
  // none: the name of the column, and what is known of fields of that name (configs/labels.toml).
  std::vector<std::string> labels = {};
  std::vector<std::string> choices = {};  // of one_of
  // How 03/04/2024 is read: true: 3 April, false: March 4. Absent: such dates are left out.
  std::optional<bool> day_first = {};
  bool operator==(const Column&) const = default;
};

// Returns all labels of configs/labels.toml: words that are no values where they are printed alone.
// Thread-safe.
const std::vector<std::string>& known_labels();

// Reads a file of columns. A file that ends in .toml has a [[column]] table for each column, with
// the keys name, question, type, unit, labels and day_first. All others have a question a line;
// blank lines and lines that begin with '#' are skipped, and the question's words say the type.
// Throws Error(unreadable) if it cannot be read, and Error(usage) with file and line if it is
// wrong: no column, a key or type that does not exist, two columns of one name, a unit that the
// type does not have.
std::vector<Column> read_columns(const std::string& path);
// The same for the text of a file. `name` is the file's name, which decides its form.
std::vector<Column> parse_columns(std::string_view text, const std::string& name);

}  // namespace fineprint::sheet
