// Reads the pictures that flags name: image files, and pages of documents.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Reads pictures one after the other, by the names that read_pictures accepts. The worker that
// opens documents starts with the first document and is then kept.
class PictureReader {
 public:
  explicit PictureReader(const settings::Settings& settings);
  ~PictureReader();

  Image read(const std::string& name);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the pictures in the order of `names`. Each name is a PNG or JPEG file, or FILE#N for page
// N, from 1, of a document, drawn at kPageDpi. Throws Error with the file and the problem.
std::vector<Image> read_pictures(const std::vector<std::string>& names,
                                 const settings::Settings& settings);

// Fine enough for small print, and the resolution of the published code for page retrieval
// (M3DocRAG, MDocAgent, MoLoRAG).
inline constexpr double kPageDpi = 144;

}  // namespace fineprint::cli
