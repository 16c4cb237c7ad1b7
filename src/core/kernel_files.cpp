// Reads numbers from the text files in which the kernel describes itself (/proc, /sys).
#include "core/kernel_files.h"

#include <fstream>

namespace fineprint {

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<std::int64_t> number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::int64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> number_of(const std::filesystem::path& path, std::string_view key) {
  std::ifstream file(path);
  std::string name, rest;
  // getline skips the unit that may follow the number ("kB").
  for (std::int64_t number = 0; file >> name >> number; std::getline(file, rest)) {
    if (name == key) return number;
  }
  return std::nullopt;
}

}  // namespace fineprint
