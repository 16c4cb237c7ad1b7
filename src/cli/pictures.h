// The pictures that flags name: image files, and pages of documents.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Reads pictures one after the other by the names that read_pictures knows; what reads documents is
// started at the first of them and stays.
class PictureReader {
 public:
  explicit PictureReader(const settings::Settings& settings);
  ~PictureReader();

  Image read(const std::string& name);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Each of `names` is a PNG or JPEG file, or FILE#N: page N, from 1, of a document that the program
// reads, drawn at kPageDpi. In their order. Throws Error naming the file and what is wrong.
std::vector<Image> read_pictures(const std::vector<std::string>& names,
                                 const settings::Settings& settings);

// Fine enough for small print, and what published code for page retrieval draws at (M3DocRAG,
// MDocAgent, MoLoRAG).
inline constexpr double kPageDpi = 144;

}  // namespace fineprint::cli
