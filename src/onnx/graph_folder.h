// Looks through a folder of graphs that an option names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::onnx {

class GraphFolder {
 public:
  // Throws Error(usage) unless `folder` is one; `advice` completes "is no folder; ".
  GraphFolder(std::string option, std::string folder, const std::string& advice);

  // Returns the paths of the files with this extension, sorted.
  std::vector<std::string> files(std::string_view extension) const;
  // Sets `kept`, or throws Error(usage) if it is set already: a folder has one graph of each kind.
  void keep(const std::string& path, std::string& kept) const;
  // Throws Error(usage) unless the path is set; `what` completes "is a graph that ".
  void need(const std::string& path, std::string_view what) const;
  // Throws Error(usage) that names the option and the folder.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  std::string option_, folder_;
};

}  // namespace fineprint::onnx
