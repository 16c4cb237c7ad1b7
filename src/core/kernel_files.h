// Numbers out of the text files by which the kernel tells of itself (/proc, /sys).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fineprint {

// "" when there is no such file.
std::string first_line(const std::filesystem::path& path);

// The number that begins the file; nullopt: there is no file, or it begins with a word ("max").
std::optional<std::int64_t> number_in(const std::filesystem::path& path);

// The number behind `key` in a file whose lines are "KEY NUMBER" and, perhaps, a unit.
std::optional<std::int64_t> number_of(const std::filesystem::path& path, std::string_view key);

}  // namespace fineprint
