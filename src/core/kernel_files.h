// Reads numbers from the text files in which the kernel describes itself (/proc, /sys).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fineprint {

// Returns the first line of the file; empty if there is no such file.
std::string first_line(const std::filesystem::path& path);

// Returns the number at the start of the file; nullopt if the file is missing or begins with a word
// (for example "max").
std::optional<std::int64_t> number_in(const std::filesystem::path& path);

// Returns the number after `key` in a file with lines of the form "KEY NUMBER [UNIT]"; nullopt if
// the file has no such line.
std::optional<std::int64_t> number_of(const std::filesystem::path& path, std::string_view key);

}  // namespace fineprint
