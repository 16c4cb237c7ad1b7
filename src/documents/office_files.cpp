// Copies an office file, has the copy converted, and keeps the PDF under the hash of its source.
#include "documents/office_files.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "documents/office_process.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;

// Makes a new folder named PREFIX and six random characters. Returns its path, or "" if it cannot
// be made.
std::string new_folder(const std::string& prefix) {
  std::string name = prefix + "XXXXXX";
  return mkdtemp(name.data()) == nullptr ? "" : name;
}

// A folder for one conversion, which is removed with everything in it.
class Workplace {
 public:
  explicit Workplace(const std::string& in) : path_(new_folder(in + "/.making-")) {
    if (path_.empty()) {
      throw Error(ErrorCode::internal, format("{}: cannot make a temporary folder here", in));
    }
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Tries it, because permissions alone do not say whether a disk is full or mounted read-only.
bool can_be_written(const std::string& folder) {
  try {
    make_folders(folder);
  } catch (const Error&) {
    return false;
  }
  const std::string probe = new_folder(folder + "/.making-");
  std::error_code ignored;
  return !probe.empty() && fs::remove(probe, ignored);
}

}  // namespace

OfficeFiles::OfficeFiles(const OfficeOptions& options, std::vector<std::string> converter,
                         const WorkerLimits& limits)
    : options_(options), converter_(std::move(converter)), limits_(limits) {
  // LibreOffice runs in another working directory.
  if (!options_.folder.empty()) options_.folder = fs::absolute(options_.folder).string();
}

OfficeFiles::~OfficeFiles() {
  std::error_code ignored;
  if (!own_folder_.empty()) fs::remove_all(own_folder_, ignored);
}

std::string OfficeFiles::pdf_of(const std::string& path) {
  const FileState state = state_of(path);
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(path);
    if (known != known_.end() && known->second.state == state && fs::exists(known->second.pdf)) {
      return known->second.pdf;
    }
  }
  std::string pdf;
  if (!options_.folder.empty()) pdf = KeptPdfs(options_.folder).find(file_hash(path));
  if (pdf.empty()) pdf = make(path);
  const std::lock_guard lock(mutex_);
  known_[path] = {state, pdf};
  return pdf;
}

std::string OfficeFiles::make(const std::string& path) {
  if (!can_convert()) {
    throw Error(ErrorCode::unsupported,
                format("{}: needs LibreOffice, which is not installed; install it (apt-get install "
                       "libreoffice) or convert the file to PDF",
                       path));
  }
  const std::string keeper = folder();
  const Workplace workplace(keeper);
  // LibreOffice gets a copy, because a copy does not change during the conversion, is alone in its
  // folder, and has a harmless name.
  const std::string name = "document" + fs::path(path).extension().string();
  const std::string copy = workplace.path() + "/" + name;
  std::error_code failure;
  fs::copy_file(path, copy, failure);
  if (failure) throw Error(ErrorCode::unreadable, format("{}: {}", path, failure.message()));
  const std::string hash = file_hash(copy);
  try {
    const std::string made =
        convert({converter_, options_.program, workplace.path(), name, limits_});
    return KeptPdfs(keeper).keep(hash, made);
  } catch (const Error& error) {
    throw Error(error.code(), format("{}: {}", path, std::string_view(error.what())));
  }
}

std::string OfficeFiles::folder() {
  const std::lock_guard lock(mutex_);
  if (!own_folder_.empty()) return own_folder_;
  if (!options_.folder.empty() && can_be_written(options_.folder)) return options_.folder;
  std::error_code failure;
  const std::string temporary = fs::temp_directory_path(failure).string();
  if (!failure) own_folder_ = new_folder((fs::path(temporary) / "fineprint-").string());
  if (own_folder_.empty()) {
    throw Error(ErrorCode::unreadable,
                format("cannot make a folder for PDFs of office files, neither in the store nor "
                       "in the folder for temporary files ({})",
                       failure ? failure.message() : temporary));
  }
  return own_folder_;
}

}  // namespace fineprint::documents
