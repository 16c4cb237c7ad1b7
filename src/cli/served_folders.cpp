// Reads folders on a thread of its own.
#include "cli/served_folders.h"

#include <exception>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/address.h"
#include "fineprint/store/store.h"

#include "cli/asked_options.h"

namespace fineprint::cli {
namespace {

// Whoever is offered a folder must not see the folders around it, even if a store holds all of
// them.
library::AskedOptions served_options(const settings::Settings& settings) {
  library::AskedOptions options = asked_options(settings);
  options.alone = true;
  options.somebody_waits = false;
  return options;
}

}  // namespace

ServedFolders::ServedFolders(const settings::Settings& settings,
                             const std::vector<std::string>& paths)
    : names_(join_texts(paths, ", ", documents::shown_path)),
      folder_(served_options(settings), paths) {
  try {
    // A store that is served must exist.
    const store::Store created(folder_.dir(), store::Mode::write);
  } catch (const store::InUse&) {  // it exists: another process reads the same folder
  }
  reader_ = std::thread([this] { read(); });
}

ServedFolders::~ServedFolders() {
  set_interrupted(true);
  reader_.join();
}

bool ServedFolders::wait(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  return ends_.wait_for(lock, longest, [this] { return done_; });
}

// A folder that cannot be read, for example because the disk is full, still has what was read
// before.
void ServedFolders::read() {
  try {
    folder_.read_for("");
    log::step("{}: everything is read", names_);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) log::error("{}", std::string_view(error.what()));
  } catch (const std::exception& error) {
    log::error("internal: {}", std::string_view(error.what()));
  }
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ends_.notify_all();
}

}  // namespace fineprint::cli
