// Decodes the bytes of text files to UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::markup {

// Returns the text as `decode_text` (core/encoding.h) does, with '\n' as line ends. Throws
// Error(unsupported) with `name` in the message if the encoding is not known.
std::string decoded(const std::string& name, std::string_view bytes,
                    std::string_view declared = {});

// Returns the bytes of a file. If it is a text whose encoding is neither declared nor certain, they
// are decoded from `encoding` to UTF-8; "" if that is not known. Throws Error(unreadable).
std::string read_text(const std::string& path, const std::string& encoding);

// Shown in place of a part of a message in an unknown encoding.
inline constexpr const char* kUnknownEncoding =
    "(The encoding of this text is not known, so it is left out.)";

// Turns "\r\n" and a single '\r' into '\n'.
std::string with_plain_line_ends(std::string_view text);

}  // namespace fineprint::markup
