// Reads mail as it is sent (EML), with GMime.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <gmime/gmime.h>

#include "fineprint/core/encoding.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/core/letter_case.h"
#include "fineprint/core/unicode.h"

#include "markup/decoding.h"
#include "markup/readers.h"

namespace fineprint::markup {
namespace {

// Limit for messages forwarded in messages and parts within parts. Real mail is never nested so
// deeply.
constexpr int kDeepest = 32;

struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
template <class T>
using Held = std::unique_ptr<T, Unref>;

// Copies a string that GLib allocated, and frees it.
std::string copied_and_freed(char* text) {
  const std::unique_ptr<char, void (*)(void*)> held(text, g_free);
  return held == nullptr ? std::string() : std::string(held.get());
}

std::string plain(const char* text) { return text == nullptr ? "" : text; }

class MailReader {
 public:
  explicit MailReader(Html* html) : html_(html) {}

  std::string add(GMimeMessage* message, int depth) {
    const std::string subject = plain(g_mime_message_get_subject(message));
    html_->heading(depth == 0 ? 1 : 2, subject);
    std::string head;
    add_addresses("From", g_mime_message_get_from(message), &head);
    add_addresses("To", g_mime_message_get_to(message), &head);
    add_addresses("Cc", g_mime_message_get_cc(message), &head);
    if (GDateTime* date = g_mime_message_get_date(message)) {
      head +=
          "Date: " + copied_and_freed(g_date_time_format(date, "%A, %-d %B %Y, %H:%M %z")) + "\n";
    }
    html_->paragraph(head);
    if (GMimeObject* body = g_mime_message_get_mime_part(message)) add_part(body, depth);
    return subject;
  }

 private:
  static void add_addresses(const char* label, InternetAddressList* list, std::string* head) {
    if (list == nullptr || internet_address_list_length(list) == 0) return;
    *head += format("{}: {}\n", label,
                    copied_and_freed(internet_address_list_to_string(list, nullptr, FALSE)));
  }

  void add_part(GMimeObject* part, int depth) {
    if (depth > kDeepest) {
      html_->paragraph("(Deeper nested parts are left out.)");
    } else if (GMIME_IS_MULTIPART(part)) {
      add_parts(GMIME_MULTIPART(part), depth + 1);
    } else if (GMIME_IS_MESSAGE_PART(part)) {
      GMimeMessage* inner = g_mime_message_part_get_message(GMIME_MESSAGE_PART(part));
      if (inner != nullptr) add(inner, depth + 1);
    } else if (GMIME_IS_TEXT_PART(part)) {
      add_text(part);
    } else if (GMIME_IS_PART(part)) {
      add_attachment(part);
    }
  }

  void add_parts(GMimeMultipart* parts, int depth) {
    const int count = g_mime_multipart_get_count(parts);
    // Alternatives are the same text in several formats, so that only one is read.
    const bool alternatives =
        g_mime_content_type_is_type(g_mime_object_get_content_type(GMIME_OBJECT(parts)),
                                    "multipart", "alternative") != 0;
    if (alternatives) {
      if (GMimeObject* best = plainest(parts, count)) add_part(best, depth);
      return;
    }
    for (int i = 0; i < count; ++i) add_part(g_mime_multipart_get_part(parts, i), depth);
  }

  // Returns the plain text if it is not blank, and the last alternative if it is. By convention the
  // last is the richest.
  static GMimeObject* plainest(GMimeMultipart* parts, int count) {
    for (int i = 0; i < count; ++i) {
      GMimeObject* part = g_mime_multipart_get_part(parts, i);
      if (is_text(part, "plain") && !is_blank(text_of_part(part))) return part;
    }
    return count > 0 ? g_mime_multipart_get_part(parts, count - 1) : nullptr;
  }

  static bool is_text(GMimeObject* part, const char* subtype) {
    return GMIME_IS_TEXT_PART(part) &&
           g_mime_content_type_is_type(g_mime_object_get_content_type(part), "text", subtype) != 0;
  }

  // Returns the bytes of a part as they were before transfer, in its encoding.
  static std::string bytes_of_part(GMimePart* part) {
    GMimeDataWrapper* content = g_mime_part_get_content(part);
    if (content == nullptr) return {};
    const Held<GMimeStream> stream(g_mime_stream_mem_new());
    g_mime_data_wrapper_write_to_stream(content, stream.get());
    const GByteArray* bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(stream.get()));
    return {reinterpret_cast<const char*>(bytes->data), bytes->len};
  }

  static std::string text_of_part(GMimeObject* part) {
    const std::string bytes = bytes_of_part(GMIME_PART(part));
    std::string declared = plain(g_mime_text_part_get_charset(GMIME_TEXT_PART(part)));
    const bool is_html = is_text(part, "html");
    if (is_html && declared.empty()) declared = declared_encoding(bytes);
    const std::optional<std::string> text = decode_text(bytes, declared);
    if (!text) return kUnknownEncoding;
    return with_plain_line_ends(is_html ? declared_as_utf8(*text) : *text);
  }

  void add_text(GMimeObject* part) {
    const std::string name = plain(g_mime_part_get_filename(GMIME_PART(part)));
    if (!name.empty()) html_->heading(3, name);
    if (is_text(part, "html")) {
      add_foreign_html(text_of_part(part), html_);
    } else if (is_text(part, "csv")) {
      add_delimited(name, text_of_part(part), 0, html_);
    } else {
      html_->preformatted(text_of_part(part));
    }
  }

  void add_attachment(GMimeObject* part) {
    const std::string name = plain(g_mime_part_get_filename(GMIME_PART(part)));
    const std::string type =
        copied_and_freed(g_mime_content_type_get_mime_type(g_mime_object_get_content_type(part)));
    // Signatures say nothing to readers.
    if (type.ends_with("pkcs7-signature") || type == "application/pgp-signature") return;
    const char* place = g_mime_object_get_disposition(part);
    const bool is_inline = g_mime_object_get_content_id(part) != nullptr &&
                           (place == nullptr || plain(place) != "attachment");
    if (type.starts_with("image/") && is_inline) {
      // Mostly logos, which would be a page each.
      return html_->paragraph(format("Picture in the text, not read here: {} ({})", name, type));
    }
    html_->paragraph(format("Attachment: {} ({})", name.empty() ? "without a name" : name, type));
    html_->attach(name.empty() ? with_extension(type) : name, content_of(GMIME_PART(part)));
  }

  // Returns a name for a file of this type, for example "file.pdf" for application/pdf.
  static std::string with_extension(const std::string& type) {
    const std::string subtype = type.substr(type.find('/') + 1);
    return format_of_extension(subtype) == nullptr ? "file" : "file." + subtype;
  }

  static std::string content_of(GMimePart* part) {
    GMimeDataWrapper* content = g_mime_part_get_content(part);
    if (content == nullptr) return {};
    const Held<GMimeStream> memory(g_mime_stream_mem_new());
    g_mime_data_wrapper_write_to_stream(content, memory.get());
    const GByteArray* bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(memory.get()));
    return {reinterpret_cast<const char*>(bytes->data), bytes->len};
  }

  Html* html_;
};

// Returns the size of the headers, which end with an empty line.
std::size_t head_size(std::string_view mail) {
  return std::min({mail.find("\n\n"), mail.find("\n\r\n"), mail.size()});
}

// Replaces the names of encodings in encoded words ("=?gb2312?B?...") by those of the wider
// encodings that are sent under them.
void widen_encoded_words(std::string* head) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"=?iso-8859-1?", "=?windows-1252?"},
      {"=?us-ascii?", "=?windows-1252?"},
      {"=?gb2312?", "=?gb18030?"},
      {"=?gbk?", "=?gb18030?"},
      {"=?euc-kr?", "=?cp949?"},
      {"=?ks_c_5601-1987?", "=?cp949?"},
      {"=?shift_jis?", "=?cp932?"},
      {"=?big5?", "=?big5-hkscs?"}};
  const std::string lower = lower_case(*head);
  if (lower.size() != head->size()) return;
  std::string out;
  for (std::size_t at = 0; at < lower.size();) {
    const auto* found = std::ranges::find_if(kNames, [&](const auto& name) {
      return std::string_view(lower).substr(at).starts_with(name.first);
    });
    out += found == std::end(kNames) ? std::string_view(*head).substr(at, 1) : found->second;
    at += found == std::end(kNames) ? 1 : found->first.size();
  }
  *head = std::move(out);
}

// Returns the encoding that the headers name for the body, which old programs use for the headers,
// too.
std::string encoding_of_body(std::string_view head) {
  const std::string lower = lower_case(head);
  std::size_t at = lower.find("charset=");
  if (at == std::string::npos) return {};
  at += std::string_view("charset=").size();
  at += lower.substr(at, 1) == "\"" ? 1 : 0;
  return lower.substr(at, lower.find_first_of("\"; \t\r\n", at) - at);
}

// Returns the message with headers in UTF-8, because GMime does not guess what bytes in them mean.
std::string with_readable_head(const std::string& bytes) {
  const std::size_t size = head_size(bytes);
  std::string head = bytes.substr(0, size);
  if (const auto text = decode_text(head, encoding_of_body(head))) head = *text;
  widen_encoded_words(&head);
  return head + bytes.substr(size);
}

}  // namespace

std::string add_mail(const std::string& name, const std::string& sent, Html* html) {
  static std::once_flag begun;
  std::call_once(begun, g_mime_init);
  const std::string bytes = with_readable_head(sent);
  const Held<GMimeStream> stream(g_mime_stream_mem_new_with_buffer(bytes.data(), bytes.size()));
  const Held<GMimeParser> parser(g_mime_parser_new_with_stream(stream.get()));
  // In a mailbox, each message begins with a line "From ...".
  if (bytes.starts_with("From ")) g_mime_parser_set_format(parser.get(), GMIME_FORMAT_MBOX);
  const Held<GMimeMessage> message(g_mime_parser_construct_message(parser.get(), nullptr));
  if (message == nullptr) {
    throw Error(ErrorCode::damaged, format("{}: contains no e-mail", name));
  }
  return MailReader(html).add(message.get(), 0);
}

}  // namespace fineprint::markup
