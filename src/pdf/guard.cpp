// Turns MuPDF's errors into Error.
#include "pdf/guard.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/pdf/document.h"

namespace fineprint::pdf {
namespace {

void log_message(void* /*user*/, const char* message) noexcept {
  try {
    log::debug("mupdf: {}", message);
  } catch (...) {
    // An exception must not pass through MuPDF's C frames, so a failed log message is dropped.
  }
}

// MuPDF reports some pictures as damaged that are sound, but of a kind that it does not know.
bool is_of_unknown_kind(const Failure& failure) {
  return says(failure, "unsupported") || says(failure, "bits per sample illegal");
}

ErrorCode code_of(const Failure& failure) {
  switch (failure.code) {
    case FZ_ERROR_SYSTEM:
      return says(failure, "alloc") ? ErrorCode::out_of_memory : ErrorCode::unreadable;
    case FZ_ERROR_LIMIT:
      return ErrorCode::too_large;
    case FZ_ERROR_UNSUPPORTED:
      return ErrorCode::unsupported;
    case FZ_ERROR_LIBRARY:
      return says(failure, "Maximum supported image dimension") ? ErrorCode::too_large
                                                                : ErrorCode::damaged;
    default:
      return is_of_unknown_kind(failure) ? ErrorCode::unsupported : ErrorCode::damaged;
  }
}

// Messages of MuPDF that speak only of its own internals, and what they mean for a document.
constexpr std::array<std::pair<const char*, const char*>, 2> kPlainWords = {{
    {"exception stack overflow", "its parts are nested too deeply"},
    {"integer overflow in", "it gives an impossible size"},
}};

std::string_view plain_words(const Failure& failure) {
  for (const auto& [words, meaning] : kPlainWords) {
    if (says(failure, words)) return meaning;
  }
  return failure.message;
}

}  // namespace

bool says(const Failure& failure, const char* words) {
  return std::strstr(failure.message, words) != nullptr;
}

void note_failure(fz_context* context, Failure* failure) {
  failure->code = fz_caught(context);
  std::strncpy(failure->message, fz_caught_message(context), sizeof failure->message - 1);
  failure->message[sizeof failure->message - 1] = '\0';
  // Control characters of the file would break a message into lines.
  for (char* c = failure->message; *c != '\0'; ++c) {
    if (static_cast<unsigned char>(*c) < 0x20) *c = ' ';
  }
  // otherwise MuPDF would warn of a forgotten error when the next one occurs
  fz_report_error(context);
}

Error error_of(const Failure& failure, const std::string& what) {
  return Error(code_of(failure), format("{}: {}", what, plain_words(failure)));
}

fz_context* new_context() {
  fz_context* context = fz_new_context(nullptr, nullptr, FZ_STORE_DEFAULT);
  if (context == nullptr) {
    throw Error(ErrorCode::internal,
                format("MuPDF: the loaded library is not version {}, which this program was "
                       "compiled for; install pymupdf and build again",
                       FZ_VERSION));
  }
  fz_set_warning_callback(context, log_message, nullptr);
  fz_set_error_callback(context, log_message, nullptr);
  return context;
}

std::string mupdf_version() {
  fz_drop_context(new_context());
  return FZ_VERSION;
}

}  // namespace fineprint::pdf
