// Libraries are found where they were built and where they were installed.
#include "fineprint/core/own_library.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/running_program.h"

namespace fineprint {
namespace {

TEST(OwnLibrary, LiesBesideTheProgramOrWhereInstallsPutIt) {
  const std::filesystem::path folder = std::filesystem::path(program_path()).parent_path();
  const std::filesystem::path installed = folder.parent_path() / "lib/fineprint";
  const std::string name = "libfineprint_of_own_library_test.so";
  const bool is_new = std::filesystem::create_directories(installed);
  EXPECT_EQ(own_library_path(name), (folder / name).string());
  std::ofstream(installed / name).put('x');
  EXPECT_EQ(own_library_path(name), (installed / name).string());
  std::ofstream(folder / name).put('x');
  EXPECT_EQ(own_library_path(name), (folder / name).string());
  std::filesystem::remove(folder / name);
  std::filesystem::remove(installed / name);
  if (is_new) std::filesystem::remove(installed);
}

}  // namespace
}  // namespace fineprint
