// Reads mail as it is sent (EML), with GMime.
#include <memory>
#include <mutex>

#include <gmime/gmime.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
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

  static std::string text_of_part(GMimeObject* part) {
    return valid_utf8(decoded(copied_and_freed(g_mime_text_part_get_text(GMIME_TEXT_PART(part)))));
  }

  void add_text(GMimeObject* part) {
    const std::string name = plain(g_mime_part_get_filename(GMIME_PART(part)));
    if (!name.empty()) html_->heading(3, name);
    if (is_text(part, "html")) {
      add_foreign_html(text_of_part(part), html_);
    } else if (is_text(part, "csv")) {
      add_delimited(text_of_part(part), 0, html_);
    } else {
      html_->preformatted(text_of_part(part));
    }
  }

  void add_attachment(GMimeObject* part) {
    const std::string name = plain(g_mime_part_get_filename(GMIME_PART(part)));
    const std::string type =
        copied_and_freed(g_mime_content_type_get_mime_type(g_mime_object_get_content_type(part)));
    html_->paragraph(
        format("Attachment, not read here: {} ({})", name.empty() ? "without a name" : name, type));
  }

  Html* html_;
};

}  // namespace

std::string add_mail(const std::string& name, const std::string& bytes, Html* html) {
  static std::once_flag begun;
  std::call_once(begun, g_mime_init);
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
