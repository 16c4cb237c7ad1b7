// Copies an office file aside, has it converted, and keeps the PDF under what it was made of.
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

// A new folder named "PREFIXxxxxxx"; empty when it can't be made.
std::string new_folder(const std::string& prefix) {
  std::string name = prefix + "XXXXXX";
  return mkdtemp(name.data()) == nullptr ? "" : name;
}

// A folder for one conversion; what is in it goes with it.
class Workplace {
 public:
  explicit Workplace(const std::string& in) : path_(new_folder(in + "/.making-")) {
    if (path_.empty()) {
      throw Error(ErrorCode::internal, format("{}: no folder can be made there", in));
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

OfficeFiles::OfficeFiles(const OfficeOptions& options, std::string converter,
                         const WorkerLimits& limits)
    : options_(options), converter_(std::move(converter)), limits_(limits) {
  // LibreOffice works elsewhere.
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
                format("{}: is read through LibreOffice, which is not installed: apt-get install "
                       "libreoffice, or convert it to PDF",
                       path));
  }
  const std::string keeper = folder();
  const Workplace workplace(keeper);
  // A copy: it holds still, lies where nothing else does, and its name is harmless.
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
                format("no folder can be made for PDFs of office files, neither in the store nor "
                       "in the folder for temporary files ({})",
                       failure ? failure.message() : temporary));
  }
  return own_folder_;
}

}  // namespace fineprint::documents
