// Records files that could not be read, and finds pages that could not.
#include "store/unread_files.h"

#include <utility>

#include "fineprint/core/format.h"

#include "store/catalog.h"
#include "store/row_sums.h"
#include "store/state.h"

namespace fineprint::store {

// Does nothing if there is no such record.
void remove_unread_file(Database& database, const std::string& doc) {
  database.query("DELETE FROM unread_files WHERE doc = ?").bind(std::string_view(doc)).run();
}

// Leaves out damaged rows, so that their files are tried again.
std::vector<UnreadFile> Store::unread_files() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  Query rows = state_->database->query(
      fineprint::format("SELECT doc, path, settings, size, mtime_ns, code, message "
                        "FROM unread_files WHERE sum = {} ORDER BY doc",
                        row_sum_of("unread_files")));
  std::vector<UnreadFile> out;
  while (rows.step()) {
    std::string settings = rows.text(2);
    const std::uint64_t identity = take_identity(&settings);
    out.push_back({.doc = rows.text(0),
                   .path = rows.text(1),
                   .settings = std::move(settings),
                   .stamp = {rows.integer(3), rows.integer(4), identity},
                   .code = code_from_name(rows.text(5)),
                   .message = rows.text(6)});
  }
  return out;
}

// Replaces an older record of the same document name.
void Store::put_unread(const UnreadFile& file) {
  state_->require_writer();
  const std::string settings = stored_settings(file.settings, file.stamp);
  const std::lock_guard<std::mutex> guard(state_->mutex);
  state_->database
      ->query(
          "INSERT OR REPLACE INTO unread_files(doc, path, settings, size, mtime_ns, code, message, "
          "sum) VALUES(?1,?2,?3,?4,?5,?6,?7, row_sum(?1,?2,?3,?4,?5,?6,?7))")
      .bind(std::string_view(file.doc))
      .bind(std::string_view(file.path))
      .bind(std::string_view(settings))
      .bind(file.stamp.size)
      .bind(file.stamp.mtime_ns)
      .bind(code_name(file.code))
      .bind(std::string_view(file.message))
      .run();
}

void Store::forget_unread(const std::string& doc) {
  state_->require_writer();
  const std::lock_guard<std::mutex> guard(state_->mutex);
  remove_unread_file(*state_->database, doc);
}

// Uses the partial index pages_with_problems, because every run of `index` asks for these few
// pages.
std::map<std::int64_t, std::vector<int>> Store::pages_with_problems() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  Query rows = state_->database->query(
      "SELECT document, number FROM pages WHERE problem <> '' ORDER BY document, number");
  std::map<std::int64_t, std::vector<int>> out;
  while (rows.step()) out[rows.integer(0)].push_back(static_cast<int>(rows.integer(1)));
  return out;
}

}  // namespace fineprint::store
