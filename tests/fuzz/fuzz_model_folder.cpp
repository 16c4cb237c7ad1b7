// Feeds any bytes to the readers of a model folder's files, one file of one reference case at a
// time: the folder must be read, or be refused with Error(model) and a message.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/describe.h"
#include "fineprint/models/model_spec.h"

#include "support/temp_dir.h"

using fineprint::Error;
using fineprint::ErrorCode;

namespace {

// A file of a reference case.
struct Target {
  std::string name, file;
  bool operator==(const Target&) const = default;
};

// Returns the file that a line names as "CASE/FILE", or nothing if there is no such case or the
// file's path leaves the folder of its model.
std::optional<Target> target_of(std::string_view line) {
  const std::size_t slash = std::min(line.find('/'), line.size());
  Target target{std::string(line.substr(0, slash)),
                std::string(line.substr(std::min(slash + 1, line.size())))};
  const auto is_plain = [](const std::string& text) {
    return !text.empty() && text.size() < 100 && text.find("..") == text.npos &&
           text.find('\0') == text.npos && !text.starts_with('/') && !text.ends_with('/');
  };
  if (!is_plain(target.name) || !is_plain(target.file)) return std::nullopt;
  const auto model = std::filesystem::path(FINEPRINT_TEST_DATA) / target.name / "model";
  const auto file = model / target.file;
  if (!std::filesystem::is_directory(model) || std::filesystem::is_directory(file))
    return std::nullopt;
  // Of a path below a file, none can be made.
  const auto folder = file.parent_path();
  const bool has_room = folder == model || std::filesystem::is_directory(folder);
  return has_room ? std::optional(std::move(target)) : std::nullopt;
}

// A folder of links to the case's files, but for the one under test.
std::string lay_out(const fineprint::testing::TempDir& root, const Target& target) {
  namespace fs = std::filesystem;
  const fs::path from = fs::path(FINEPRINT_TEST_DATA) / target.name / "model";
  const fs::path to = fs::path(root.path()) / "model";
  fs::remove_all(to);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    const fs::path relative = fs::relative(entry.path(), from);
    if (relative == target.file) continue;
    // Of the two places a processor's settings may be in, the other is looked at first.
    const bool hides =
        target.file == "processor_config.json" && relative == "preprocessor_config.json";
    if (hides) continue;
    fs::create_directories((to / relative).parent_path());
    fs::create_symlink(entry.path(), to / relative);
  }
  fs::create_directories((to / target.file).parent_path());
  return to.string();
}

void read_folder(const std::string& dir) {
  const fineprint::models::ModelSpec spec = fineprint::models::read_model(dir);
  // The plan of a page must hold for every processor that was accepted.
  if (spec.sees()) fineprint::preprocess::plan_pixels(spec.processor, 1240, 1754);
  const fineprint::models::Checkpoint checkpoint(spec);
  if (fineprint::models::describe_model(spec, checkpoint).parameters <= 0) std::abort();
}

}  // namespace

// The name of the file, a zero byte, its content.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fineprint::testing::TempDir root;
  static std::optional<Target> laid_out;
  static std::string dir;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(all.find('\0'), size);
  const std::optional<Target> target = target_of(all.substr(0, cut));
  if (!target || cut == size) return 0;
  if (target != laid_out) dir = lay_out(root, *target);
  laid_out = target;
  root.write("model/" + target->file, all.substr(cut + 1));
  try {
    read_folder(dir);
  } catch (const Error& error) {
    const bool plan = error.code() == ErrorCode::input;  // a page that the processor cannot take
    if ((error.code() != ErrorCode::model && !plan) || *error.what() == '\0') std::abort();
  }
  return 0;
}
