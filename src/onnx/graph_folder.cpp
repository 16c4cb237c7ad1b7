#include "onnx/graph_folder.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::onnx {

GraphFolder::GraphFolder(std::string option, std::string folder, const std::string& advice)
    : option_(std::move(option)), folder_(std::move(folder)) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder_, ignored)) fail("is no folder; " + advice);
}

std::vector<std::string> GraphFolder::files(std::string_view extension) const {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (entry.path().extension() == extension) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void GraphFolder::keep(const std::string& path, std::string& kept) const {
  if (!kept.empty()) {
    fail(format("{} and {} do the same; keep one of them in the folder", kept, path));
  }
  kept = path;
}

void GraphFolder::need(const std::string& path, std::string_view what) const {
  if (path.empty()) fail(format("no *.onnx file in it is a graph that {}", what));
}

void GraphFolder::fail(const std::string& why) const {
  throw Error(ErrorCode::usage, format("{} {}: {}", option_, folder_, why));
}

}  // namespace fineprint::onnx
