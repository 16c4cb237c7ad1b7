// Which settings files of folders the user trusts. A folder that was downloaded or cloned may come
// with a fineprint.toml. Values of it that start programs, send data, hand over secrets or open the
// machine are obeyed only if the user has trusted the file as it is now.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/settings/option_set.h"
#include "fineprint/settings/settings.h"

namespace fineprint::settings {

// The name of a folder's settings file.
inline constexpr std::string_view kFolderFile = "fineprint.toml";

// A folder's settings file, read once: the bytes that are hashed are the ones that were parsed.
struct FolderFile {
  std::string path;  // the folder without links and "..", and kFolderFile; the file may be a link
  std::string bytes;
  OptionTexts values;
};

// Reads the settings file of a folder. Returns nullopt if there is none. `name` is the file's name
// in messages. Throws what read_configuration throws, Error(unreadable) if it cannot be seen
// whether there is one, and Error(usage) if it is no regular file.
std::optional<FolderFile> read_folder_file(const std::string& folder, const std::string& name,
                                           const OptionSet& options);

// A value that is obeyed only if its file is trusted.
struct GuardedValue {
  const ProgramOption* option = nullptr;
  std::string text;  // of a list: one item
  std::string risk;  // what the value does: "starts this program"
};

// Returns the guarded values among those of a file. `name` is the file's name in messages. Throws
// what OptionSet::find_given throws.
std::vector<GuardedValue> guarded_values(const OptionTexts& values, const std::string& name,
                                         const OptionSet& options);

// Returns the text with \uXXXX in place of control characters, characters without width and
// overrides of the writing direction, by which a stranger's text could show something else.
std::string visible(std::string_view text);

// Returns the command that trusts the file, for messages. A folder with blanks or other special
// characters is in quotes.
std::string trust_command(const FolderFile& file);

// Returns, for example, "libreoffice = "/opt/soffice" (starts this program)". The value is visible
// and shortened.
std::string described(const GuardedValue& value);

// `changed`: a file of this path was trusted when it had other bytes.
enum class Trust { unknown, changed, trusted };

// A trusted file: its path, and the SHA-256 of its bytes.
struct TrustedFile {
  std::string path, sha256;
};

// Returns whether the user trusts the file as it was read. Trust belongs to the path and the bytes,
// because the same value may mean something else in another folder. Throws Error(usage) if others
// can write the records of trust.
Trust trust_in(const FolderFile& file);
// Records that the user trusts the file as it was read. Returns the record. Throws
// Error(unreadable) if the record cannot be written, and Error(usage) as trust_in does.
TrustedFile record_trust(const FolderFile& file);
// Forgets a trusted file. Throws Error(unreadable) if the record cannot be removed.
void forget_trust(const TrustedFile& file);
// Returns all trusted files, sorted by path. Throws Error(usage) as trust_in does.
std::vector<TrustedFile> trusted_files();

// The layers around that of the folder's file.
struct OtherLayers {
  std::span<const Layer> below, above;
};

// Removes guarded values from the layer of a file that is not trusted. Values that a layer above
// sets stay, because they are overridden. If a layer below sets one, a note says that it is used
// instead. If `command` would obey one of the others, throws Error(usage) with the file, these
// values, why, and what to do.
void drop_untrusted(const FolderFile& file, const OtherLayers& others, unsigned command,
                    const OptionSet& options, Layer* layer);

}  // namespace fineprint::settings
