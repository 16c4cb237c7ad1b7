// Decodes the bytes of text files, web pages and mail to UTF-8, whatever encoding they are in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint {

// Returns the text in UTF-8, without a byte order mark. Tries in this order:
// - a byte order mark;
// - UTF-8, if the bytes are valid, more than ASCII and without zero bytes, because no other text is
//   so by chance; a few characters may be, so for these a declaration that fits counts more;
// - `declared`, the name that the file itself gives for its encoding ("" if none); a name that
//   means a subset in practice is read as what people send under it, as browsers do (windows-1252
//   for iso-8859-1, gb18030 for gb2312, windows-949 for euc-kr);
// - UTF-8 with a few stray bytes, and UTF-16 without a mark;
// - the encoding under which the bytes are the likeliest text of one of some thirty languages.
// Returns nullopt if the bytes are no likely text in any encoding. Bytes that do not fit the
// encoding become U+FFFD.
std::optional<std::string> decode_text(std::string_view bytes, std::string_view declared = {});

// Does the same without the last step: returns nullopt if the encoding would have to be guessed.
std::optional<std::string> decode_certain(std::string_view bytes, std::string_view declared = {});

// Returns the text of bytes that are in this encoding for certain; nullopt if the name is unknown.
// Bytes that do not fit become U+FFFD.
std::optional<std::string> decode_as(std::string_view bytes, std::string_view encoding);

// Returns whether `decode_text` knows an encoding by this name. Case does not matter.
bool is_known_encoding(std::string_view name);

// Returns the names of the encodings that are guessed, and UTF-8, for messages. Others are known,
// too.
std::vector<std::string> usual_encodings();

// Returns the encoding that a text of HTML or XML declares near its beginning, in an XML
// declaration or a <meta>; "" if none. The bytes must be in an encoding that begins with ASCII, as
// all are that can be declared so.
std::string declared_encoding(std::string_view markup);

// Replaces the declaration that `declared_encoding` finds by "utf-8", for a text that has been
// decoded.
std::string declared_as_utf8(std::string markup);

}  // namespace fineprint
