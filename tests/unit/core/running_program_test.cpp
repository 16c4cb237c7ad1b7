// Tests how the program finds itself, started by the kernel and by a loader.
#include "fineprint/core/running_program.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <link.h>

#include "fineprint/core/text.h"

namespace fineprint {
namespace {

// Returns the path of the loader that started this test.
std::string loader() {
  std::string path;
  const auto keep = [](dl_phdr_info* library, std::size_t, void* found) {
    const std::string_view name = library->dlpi_name;
    if (name.find("/ld-linux") != std::string_view::npos) *static_cast<std::string*>(found) = name;
    return 0;
  };
  dl_iterate_phdr(keep, &path);
  return path;
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> bytes;
  while (std::fgets(bytes.data(), bytes.size(), pipe) != nullptr) output += bytes.data();
  EXPECT_EQ(pclose(pipe), 0) << output;
  return output;
}

TEST(RunningProgram, ItsPathIsThatOfItsFile) {
  EXPECT_EQ(std::filesystem::path(program_path()).filename(), "test_core");
  EXPECT_EQ(program_command(), std::vector<std::string>{"/proc/self/exe"});
}

// Run by the next test, in a process of its own.
TEST(RunningProgram, DISABLED_SaysHowItIsStarted) {
  std::printf("path: %s\ncommand: %s\n", program_path().c_str(),
              join_texts(program_command(), " ").c_str());
}

TEST(RunningProgram, ALoaderIsNotTheProgram) {
  const std::string program = program_path();
  ASSERT_TRUE(loader().starts_with("/")) << loader();
  const std::string said =
      output_of(loader() + " '" + program +
                "' --gtest_also_run_disabled_tests --gtest_filter=RunningProgram.DISABLED_*");
  const std::string folder =
      std::filesystem::canonical(std::filesystem::path(loader())).parent_path().string();
  EXPECT_NE(said.find("path: " + program + "\n"), std::string::npos) << said;
  EXPECT_NE(said.find("command: /proc/self/exe --library-path " + folder + " " + program + "\n"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace fineprint
