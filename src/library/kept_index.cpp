// Chooses the folder of the index of `ask PATH`.
#include "fineprint/library/kept_index.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/documents/address.h"

namespace fineprint::library {
namespace {

// Returns why the folder cannot be written, or an empty string if it can. Creates the folder.
std::string obstacle_to_writing(const std::string& dir) {
  try {
    make_folders(dir);
  } catch (const Error& error) {
    return error.what();
  }
  return access(dir.c_str(), W_OK | X_OK) == 0
             ? ""
             : format("{} cannot be written: {}", dir, std::strerror(errno));
}

// The folder must be empty and private, so mkdtemp chooses its name.
std::string new_temporary_folder() {
  std::error_code unknown;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(unknown);
  std::string name = (parent / "fineprint-XXXXXX").string();
  if (unknown || mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorCode::unreadable,
                format("cannot create a temporary folder for the index ({}): {}; give a writable "
                       "folder with --store",
                       name, unknown ? unknown.message() : std::strerror(errno)));
  }
  return name;
}

}  // namespace

KeptIndex::KeptIndex(const std::string& dir) : dir_(dir) {
  const std::string obstacle = obstacle_to_writing(dir);
  if (obstacle.empty()) return;
  dir_ = new_temporary_folder();
  temporary_ = true;
  log::warn(
      "{}; the index is kept for this answer only (in {}); to keep it, give a folder with --store",
      obstacle, dir_);
}

KeptIndex::~KeptIndex() {
  std::error_code ignored;
  if (temporary_) std::filesystem::remove_all(dir_, ignored);
}

std::unique_ptr<store::Store> open_unless_in_use(const std::string& dir) {
  try {
    return std::make_unique<store::Store>(dir, store::Mode::write);
  } catch (const store::InUse&) {
    store::Totals there;
    try {
      there = store::Store(dir, store::Mode::read).totals();
    } catch (const Error&) {  // the other process has hardly begun
    }
    // Without any document there is nothing to answer from, so the caller learns that the store is
    // in use.
    if (there.documents == 0) throw;
    log::warn(
        "another process is writing to the store {}; the answer uses the {} documents ({} pages) "
        "that it has so far",
        dir, there.documents, there.pages);
    return nullptr;
  }
}

void require_documents(const store::Store& store, const std::vector<std::string>& paths) {
  if (store.totals().documents > 0) return;
  const std::string places = join_texts(paths, ", ", documents::shown_path);
  throw Error(
      ErrorCode::input,
      format("{}: no document could be read there; `fineprint ask --help` shows how to ask, "
             "and the README lists the kinds of files that are read",
             places));
}

}  // namespace fineprint::library
