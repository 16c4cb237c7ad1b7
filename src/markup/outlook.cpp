// Reads mail as Outlook saves it (MSG), a compound file, with libgsf. Source: [MS-OXMSG],
// [MS-OXPROPS].
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include <gsf/gsf.h>

#include "fineprint/core/encoding.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "markup/decoding.h"
#include "markup/readers.h"

namespace fineprint::markup {
namespace {

constexpr int kDeepestMessage = 16;  // messages within messages

struct UnrefFile {
  void operator()(void* object) const { g_object_unref(object); }
};
using Input = std::unique_ptr<GsfInput, UnrefFile>;
using Folder = std::unique_ptr<GsfInfile, UnrefFile>;

// Properties. The name of a property's stream ends with four digits of its id and four of its type.
constexpr const char* kSubject = "0037";
constexpr const char* kSender = "0C1A";
constexpr const char* kSenderAddress = "5D01";
constexpr const char* kTo = "0E04";
constexpr const char* kCc = "0E03";
constexpr const char* kBody = "1000";
constexpr const char* kHtmlBody = "1013";
constexpr const char* kRichBody = "1009";
constexpr const char* kFileName = "3707";
constexpr const char* kShortFileName = "3704";
constexpr const char* kDisplayName = "3001";
constexpr const char* kContent = "3701";
constexpr const char* kUnicode = "001F";
constexpr const char* kBytesOfText = "001E";
constexpr const char* kBinary = "0102";

std::string read_all(GsfInput* input) {
  const gsf_off_t size = gsf_input_size(input);
  if (size <= 0) return {};
  std::string bytes(static_cast<std::size_t>(size), '\0');
  const auto* read = gsf_input_read(input, bytes.size(), reinterpret_cast<guint8*>(bytes.data()));
  return read == nullptr ? std::string() : bytes;
}

std::uint64_t little_endian(const std::string& bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

class OutlookReader {
 public:
  explicit OutlookReader(Html* html) : html_(html) {}

  std::string add(GsfInfile* message, int depth) {
    const std::string subject = text(message, kSubject);
    // Messages within messages become sections of the document.
    html_->heading(depth == 0 ? 1 : 2, subject);
    std::string head;
    const std::string address = text(message, kSenderAddress);
    add_line("From", text(message, kSender) + (address.empty() ? "" : " <" + address + ">"), &head);
    add_line("To", text(message, kTo), &head);
    add_line("Cc", text(message, kCc), &head);
    add_line("Date", date(message, depth), &head);
    html_->paragraph(head);
    add_body(message);
    add_attachments(message, depth);
    return subject;
  }

 private:
  // Returns a stream of a folder, or nullopt if there is none.
  static std::optional<std::string> stream(GsfInfile* folder, const std::string& name) {
    const Input input(gsf_infile_child_by_name(folder, name.c_str()));
    if (input == nullptr) return std::nullopt;
    return read_all(input.get());
  }

  static std::optional<std::string> property(GsfInfile* folder, const std::string& which,
                                             const char* type) {
    return stream(folder, "__substg1.0_" + which + type);
  }

  // Returns a text property: Unicode if present, and bytes in an unknown encoding if not.
  static std::string text(GsfInfile* folder, const char* which) {
    if (const auto wide = property(folder, which, kUnicode)) {
      return with_plain_line_ends(*decode_as(*wide, "UTF-16LE"));
    }
    const auto narrow = property(folder, which, kBytesOfText);
    return narrow ? readable(*narrow) : "";
  }

  // One text that cannot be read does not hide the rest of the message.
  static std::string readable(const std::string& bytes, const std::string& declared = {}) {
    const std::optional<std::string> text = decode_text(bytes, declared);
    return with_plain_line_ends(text ? *text : kUnknownEncoding);
  }

  static void add_line(const char* label, const std::string& value, std::string* head) {
    if (!is_blank(value)) *head += format("{}: {}\n", label, value);
  }

  // Returns when the message was sent or, if that is unknown, received. After a header, properties
  // take 16 bytes each, with the value in the last 8.
  static std::string date(GsfInfile* message, int depth) {
    constexpr std::uint32_t kSent = 0x00390040, kReceived = 0x0E060040;
    constexpr std::size_t kEntry = 16;
    // The header of an embedded message lacks eight reserved bytes ([MS-OXMSG], 2.4.1).
    const std::size_t head = depth == 0 ? 32 : 24;
    const std::string all = stream(message, "__properties_version1.0").value_or("");
    for (const std::uint32_t wanted : {kSent, kReceived}) {
      for (std::size_t at = head; at + kEntry <= all.size(); at += kEntry) {
        if (little_endian(all, at, 4) == wanted) return date_of(little_endian(all, at + 8, 8));
      }
    }
    return {};
  }

  // Converts from units of 100 ns since 1601.
  static std::string date_of(std::uint64_t ticks) {
    constexpr std::int64_t kTicksASecond = 10'000'000, kSecondsTo1970 = 11'644'473'600;
    const std::int64_t seconds = static_cast<std::int64_t>(ticks / kTicksASecond) - kSecondsTo1970;
    GDateTime* date = g_date_time_new_from_unix_utc(seconds);
    if (date == nullptr) return {};
    const std::unique_ptr<char, void (*)(void*)> shown(
        g_date_time_format(date, "%A, %-d %B %Y, %H:%M UTC"), g_free);
    g_date_time_unref(date);
    return shown == nullptr ? std::string() : std::string(shown.get());
  }

  void add_body(GsfInfile* message) {
    const std::string body = text(message, kBody);
    const auto html_body = property(message, kHtmlBody, kBinary);
    // The plain text comes first, because it needs no conversion.
    if (!is_blank(body)) {
      html_->preformatted(body);
    } else if (html_body) {
      const std::string declared = declared_encoding(*html_body);
      add_foreign_html(declared_as_utf8(readable(*html_body, declared)), html_);
    } else if (property(message, kRichBody, kBinary)) {
      html_->paragraph("(Its text is rich text alone, which is not read here.)");
    }
  }

  void add_attachments(GsfInfile* message, int depth) {
    const int count = gsf_infile_num_children(message);
    for (int i = 0; i < count; ++i) {
      const char* name = gsf_infile_name_by_index(message, i);
      if (name == nullptr || !std::string_view(name).starts_with("__attach_version1.0_")) continue;
      const Input child(gsf_infile_child_by_index(message, i));
      if (child == nullptr || !GSF_IS_INFILE(child.get())) continue;
      add_attachment(GSF_INFILE(child.get()), depth);
    }
  }

  void add_attachment(GsfInfile* folder, int depth) {
    // A message within a message is a folder.
    const Input inner(gsf_infile_child_by_name(folder, "__substg1.0_3701000D"));
    if (inner != nullptr && GSF_IS_INFILE(inner.get()) && depth < kDeepestMessage) {
      add(GSF_INFILE(inner.get()), depth + 1);
      return;
    }
    std::string name;
    // The long name first; old programs write only the short one, of eight and three letters.
    for (const char* which : {kFileName, kShortFileName, kDisplayName}) {
      if (name.empty()) name = text(folder, which);
    }
    html_->paragraph(format("Attachment: {}", name.empty() ? "without a name" : name));
    // Attachments that are kept elsewhere have no content.
    html_->attach(name, property(folder, kContent, kBinary).value_or(""));
  }

  Html* html_;
};

}  // namespace

std::string add_outlook(const std::string& name, const std::string& bytes, Html* html) {
  static std::once_flag begun;
  std::call_once(begun, gsf_init);
  const Input input(gsf_input_memory_new(reinterpret_cast<const guint8*>(bytes.data()),
                                         static_cast<gsf_off_t>(bytes.size()), FALSE));
  GError* failure = nullptr;
  const Folder file(gsf_infile_msole_new(input.get(), &failure));
  if (file == nullptr) {
    const std::string why = failure == nullptr ? "" : failure->message;
    if (failure != nullptr) g_error_free(failure);
    throw Error(ErrorCode::damaged, format("{}: not an Outlook message: {}", name, why));
  }
  return OutlookReader(html).add(file.get(), 0);
}

}  // namespace fineprint::markup
