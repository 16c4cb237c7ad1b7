// Keeps one file for each trusted file in the user's configuration folder: "SHA256  PATH", as
// sha256sum writes it, under the SHA-256 of the path.
#include "fineprint/settings/trust.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/settings/configuration.h"
#include "fineprint/settings/sha256.h"

namespace fineprint::settings {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashDigits = 64;
constexpr std::string_view kHashEnd = "  ";  // between the hash and the path
// Bytes of a value in a message; the rest of the message must be seen, too.
constexpr std::size_t kMostShown = 200;

std::string hash_of(std::string_view text) {
  return sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// Returns whether a terminal shows something else than the character: control characters, which it
// may obey, characters without width, line ends, and overrides of the writing direction.
bool is_invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF;
}

std::string records_folder() { return user_config_dir() + "/trusted"; }

std::string record_of(const std::string& path) { return records_folder() + "/" + hash_of(path); }

// Throws if somebody else could have written a record, and so trusted a file in the user's place.
// Links are not followed. Returns false if nothing has this path.
bool is_own(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    throw Error(ErrorCode::unreadable, format("cannot read {}: {}", path, std::strerror(errno)));
  }
  const bool plain = S_ISDIR(status.st_mode) || S_ISREG(status.st_mode);
  const bool closed = (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (plain && closed && status.st_uid == ::geteuid()) return true;
  throw Error(
      ErrorCode::usage,
      format("{}: belongs to somebody else, can be written by others, or is a link, so the "
             "files that it says you trust are not believed; remove it and trust them again",
             path));
}

// Returns nullopt if there is no such record, or if it is not in the form in which they are
// written.
std::optional<TrustedFile> read_record(const std::string& record) {
  if (!is_own(record)) return std::nullopt;
  std::string text = read_file(record);
  const std::size_t begin = kHashDigits + kHashEnd.size();
  if (text.size() <= begin || !text.ends_with('\n')) return std::nullopt;
  text.pop_back();
  return TrustedFile{.path = text.substr(begin), .sha256 = text.substr(0, kHashDigits)};
}

void make_own_folder(const std::string& folder) {
  make_folders(folder);
  if (::chmod(folder.c_str(), S_IRWXU) != 0 && errno != EPERM) {
    throw Error(ErrorCode::unreadable,
                format("cannot close {} to others: {}", folder, std::strerror(errno)));
  }
  is_own(folder);
}

bool gives(std::span<const Layer> layers, const ProgramOption& option, std::string* origin) {
  const auto found = std::ranges::find_if(
      layers, [&](const Layer& layer) { return layer.values.contains(option.name); });
  if (found == layers.end()) return false;
  if (origin != nullptr) *origin = found->origin;
  return true;
}

[[noreturn]] void refuse(const FolderFile& file, Trust trust,
                         const std::vector<GuardedValue>& values) {
  const ProgramOption& first = *values.front().option;
  const std::string flag = first.flag.empty() ? first.name : first.flag;
  throw Error(
      ErrorCode::usage,
      format(
          "{}: {}: not obeyed, because {}. Read the file, and if you want this, run `{}`. Or set "
          "{}, by --{}, {} or {}/config.toml",
          visible(file.path), join_texts(values, ", ", described),
          trust == Trust::changed ? "the file has changed since you trusted it"
                                  : "the file came with the folder and you have not trusted it",
          trust_command(file), values.size() == 1 ? "it yourself" : "all of them yourself", flag,
          variable_of(first.name), user_config_dir()));
}

}  // namespace

std::optional<FolderFile> read_folder_file(const std::string& folder, const std::string& name,
                                           const OptionSet& options) {
  std::error_code unknown;
  const fs::path given = fs::path(folder) / kFolderFile;
  const fs::file_status status = fs::status(given, unknown);
  if (status.type() == fs::file_type::not_found) return std::nullopt;
  // Not known to be absent: a folder that may not be searched, or a circle of links.
  if (!fs::status_known(status)) {
    throw Error(ErrorCode::unreadable, format("cannot read {}: {}", name, unknown.message()));
  }
  // A pipe or a device of that name would never end.
  if (!fs::is_regular_file(status)) {
    throw Error(ErrorCode::usage, format("{}: is not a regular file; rename or remove it", name));
  }
  FolderFile file;
  file.path = (fs::canonical(folder) / kFolderFile).string();
  file.bytes = read_file(given.string());
  file.values = parse_configuration(file.bytes, name, options);
  return file;
}

std::vector<GuardedValue> guarded_values(const OptionTexts& values, const std::string& name,
                                         const OptionSet& options) {
  std::vector<GuardedValue> guarded;
  for (const auto& [key, texts] : values) {
    const ProgramOption* option = options.find_given(key, name);
    if (option == nullptr || option->risk == nullptr) continue;
    for (const std::string& text : texts) {
      std::optional<std::string> risk = text.empty() ? std::nullopt : option->risk(text);
      if (risk) guarded.push_back({.option = option, .text = text, .risk = std::move(*risk)});
    }
  }
  return guarded;
}

std::string visible(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    if (is_invisible(c)) {
      out += format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      append_utf8(c, &out);
    }
  }
  return out;
}

std::string trust_command(const FolderFile& file) {
  const std::string folder = visible(fs::path(file.path).parent_path().string());
  const bool plain = std::ranges::all_of(folder, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-+@").find(c) != std::string_view::npos;
  });
  if (plain) return "fineprint trust " + folder;
  // Whoever named the folder must not have a command of theirs copied into a shell.
  std::string quoted;
  for (const char c : folder) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return format("fineprint trust '{}'", quoted);
}

std::string described(const GuardedValue& value) {
  return format("{} = \"{}\" ({})", value.option->name, shortened(visible(value.text), kMostShown),
                value.risk);
}

Trust trust_in(const FolderFile& file) {
  if (!is_own(records_folder())) return Trust::unknown;
  const std::optional<TrustedFile> record = read_record(record_of(file.path));
  if (!record || record->path != file.path) return Trust::unknown;
  return record->sha256 == hash_of(file.bytes) ? Trust::trusted : Trust::changed;
}

TrustedFile record_trust(const FolderFile& file) {
  make_own_folder(records_folder());
  TrustedFile trusted{.path = file.path, .sha256 = hash_of(file.bytes)};
  const std::string record = record_of(file.path);
  write_file_atomic(record, format("{}{}{}\n", trusted.sha256, kHashEnd, trusted.path));
  // Until here the folder, which others cannot enter, protects it.
  if (::chmod(record.c_str(), S_IRUSR | S_IWUSR) != 0) {
    throw Error(ErrorCode::unreadable,
                format("cannot close {} to others: {}", record, std::strerror(errno)));
  }
  return trusted;
}

void forget_trust(const TrustedFile& file) {
  const std::string record = record_of(file.path);
  if (::unlink(record.c_str()) != 0 && errno != ENOENT) {
    throw Error(ErrorCode::unreadable,
                format("cannot remove {}: {}", record, std::strerror(errno)));
  }
}

std::vector<TrustedFile> trusted_files() {
  std::vector<TrustedFile> files;
  if (!is_own(records_folder())) return files;
  for (const fs::directory_entry& entry : fs::directory_iterator(records_folder())) {
    // Only records have such names; a killed process may have left a temporary file.
    if (entry.path().filename().string().size() != kHashDigits) continue;
    if (auto file = read_record(entry.path().string())) files.push_back(std::move(*file));
  }
  std::ranges::sort(files, {}, &TrustedFile::path);
  return files;
}

void drop_untrusted(const FolderFile& file, const OtherLayers& others, unsigned command,
                    const OptionSet& options, Layer* layer) {
  std::vector<GuardedValue> guarded = guarded_values(layer->values, layer->origin, options);
  std::erase_if(guarded, [&](const GuardedValue& value) {
    return gives(others.above, *value.option, nullptr);
  });
  // Most files have no such values. The records of trust are not looked at for them.
  if (guarded.empty()) return;
  const Trust trust = trust_in(file);
  if (trust == Trust::trusted) return;
  std::vector<GuardedValue> refused;
  for (const GuardedValue& value : guarded) {
    std::string origin;
    if (gives(others.below, *value.option, &origin)) {
      log::note("{}: {}: not obeyed, because the file is not trusted; the value in {} is used",
                layer->origin, described(value), origin);
    } else if (value.option->commands & command) {
      refused.push_back(value);
    }
    std::erase_if(layer->values, [&](const auto& entry) {
      return options.find_given(entry.first, layer->origin) == value.option;
    });
  }
  if (!refused.empty()) refuse(file, trust, refused);
}

}  // namespace fineprint::settings
