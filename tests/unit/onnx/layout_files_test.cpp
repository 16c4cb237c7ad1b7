// The parts of a layout model in a folder, whatever its files are called.
#include "fineprint/onnx/layout_files.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/expect_mentions.h"
#include "support/temp_dir.h"

namespace fineprint::onnx {
namespace {

namespace fs = std::filesystem;

const fs::path kModel = FINEPRINT_TEST_DATA "/layout_model";

std::string refusal_of_layout(const std::string& folder, ErrorCode code = ErrorCode::usage) {
  try {
    find_layout_files(folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

TEST(LayoutFiles, AreToldApartByTheirGraphs) {
  const testing::TempDir dir;
  fs::copy_file(kModel / "regions.onnx", dir.file("z.onnx"));
  fs::copy_file(kModel / "grid.onnx", dir.file("a.onnx"));
  // A graph of another kind is left alone.
  fs::copy_file(fs::path(FINEPRINT_TEST_DATA "/ocr_engine/finds.onnx"), dir.file("f.onnx"));
  const std::string folder = fs::path(dir.file("a.onnx")).parent_path().string();
  const LayoutFiles found = find_layout_files(folder);
  EXPECT_EQ(fs::path(found.regions).filename(), "z.onnx");
  EXPECT_EQ(fs::path(found.grid).filename(), "a.onnx");
  EXPECT_EQ(found.hash, find_layout_files(kModel.string()).hash);
  std::ofstream(dir.file("z.onnx"), std::ios::app) << std::string("\x12\x01x", 3);  // producer
  EXPECT_NE(find_layout_files(folder).hash, found.hash);
}

TEST(LayoutFiles, AMissingPartIsNamed) {
  const testing::TempDir dir;
  const std::string folder = fs::path(dir.file("x")).parent_path().string();
  testing::expect_mentions(refusal_of_layout(folder + "/none"), {"--layout-model", "is no folder"});
  testing::expect_mentions(refusal_of_layout(folder), {"finds regions"});
  fs::copy_file(kModel / "regions.onnx", dir.file("a.onnx"));
  testing::expect_mentions(refusal_of_layout(folder), {"finds rows and columns"});
  fs::copy_file(kModel / "grid.onnx", dir.file("b.onnx"));
  fs::copy_file(kModel / "grid.onnx", dir.file("c.onnx"));
  testing::expect_mentions(refusal_of_layout(folder), {"b.onnx", "c.onnx", "do the same"});
}

TEST(LayoutFiles, AFileCutShortIsRefused) {
  const testing::TempDir dir;
  const std::string grid = read_file((kModel / "grid.onnx").string());
  std::ofstream(dir.file("grid.onnx")) << grid.substr(0, grid.size() / 2);
  const std::string folder = fs::path(dir.file("grid.onnx")).parent_path().string();
  testing::expect_mentions(refusal_of_layout(folder, ErrorCode::model), {"grid.onnx"});
}

}  // namespace
}  // namespace fineprint::onnx
