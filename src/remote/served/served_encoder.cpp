// Calls an encoder on a server.
#include "remote/served/served_encoder.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"

#include "remote/openai/chat_body.h"

namespace fineprint::remote {
namespace {

// What text-embeddings-inference accepts by default. Replies with many vectors for each text are
// much longer.
constexpr std::size_t kTextsACall = 32;
constexpr std::size_t kLateTextsACall = 8;
// Any text will do to learn the length of the vectors.
constexpr const char* kProbe = "page";

ServedEncoder described(const std::string& spec, const ServedAddress& at,
                        const models::GivenPrefixes& given) {
  ServedEncoder found;
  found.spec = spec;
  found.name = at.server.model;
  found.kind = at.kind;
  found.prefixes = models::prefixes_by_name(found.name, given);
  found.hash = content_hash(format("served {} {}\n{}", models::kind_name(found.kind), found.name,
                                   found.prefixes.passage));
  return found;
}

}  // namespace

ServedVectors::ServedVectors(ServedAddress at, ServedEncoder found, const OpenAiOptions& options,
                             Waiting waiting)
    : at_(std::move(at)),
      found_(std::move(found)),
      calls_(at_.server, options, std::move(waiting)),
      pictures_(options.pictures),
      sent_(options.sent),
      texts_a_call_(models::gives_many_vectors(at_.kind) ? kLateTextsACall : kTextsACall) {}

std::size_t ServedVectors::dim() const {
  {
    const std::lock_guard lock(mutex_);
    if (dim_ > 0) return dim_;
  }
  const std::string probe = kProbe;
  return embed_texts({&probe, 1}, models::TextRole::query).front().cols;
}

VectorHabits ServedVectors::habits() const {
  const std::lock_guard lock(mutex_);
  return habits_;
}

// A refusal that names no feature may still be about one, so at last all of them are left out.
bool ServedVectors::give_up_features(const VectorHabits& taken, const std::string& refusal,
                                     bool last) const {
  constexpr VectorHabits kPlain{.base64 = false, .truncate = false, .task = false};
  if (at_.protocol != Protocol::openai) return false;
  VectorHabits less = without_refused(taken, refusal);
  if (less == taken && last) less = kPlain;
  if (less == taken) return false;
  const std::lock_guard lock(mutex_);
  habits_ = {.base64 = habits_.base64 && less.base64,
             .truncate = habits_.truncate && less.truncate,
             .task = habits_.task && less.task};
  log::debug("{}: base64 {}, truncation {}, task {}", calls_.host(), habits_.base64,
             habits_.truncate, habits_.task);
  return true;
}

// The interface of encoders does not name pages, so only their number is known.
void ServedVectors::count_sent(std::size_t count, const char* what) const {
  if (sent_) sent_->add({what, calls_.host(), static_cast<std::int64_t>(count)});
}

std::vector<Matrix> ServedVectors::read(const Json& reply, std::size_t count) const {
  std::vector<Matrix> vectors;
  try {
    vectors = read_vectors(at_, reply, count);
  } catch (const BrokenReply& broken) {
    throw Error(ErrorCode::model,
                format("{} sent a reply for {} that cannot be used: {}; check the address, and "
                       "that the server runs {} as an encoder",
                       calls_.host(), vectors_path(at_), calls_.told(broken.what()), name()));
  }
  const std::lock_guard lock(mutex_);
  for (const Matrix& one : vectors) {
    if (dim_ == 0) dim_ = one.cols;
    if (one.cols == dim_) continue;
    throw Error(ErrorCode::model,
                format("{} sent a vector of {} values as {}, but earlier ones had {}; check that "
                       "the server has one model of this name, then repeat the command",
                       calls_.host(), one.cols, name(), dim_));
  }
  return vectors;
}

std::size_t ServedVectors::embed_some(std::span<const std::string> texts,
                                      std::vector<Matrix>* out) const {
  const std::size_t count = std::min<std::size_t>(texts_a_call_, texts.size());
  const VectorHabits taken = habits();
  count_sent(count, "(text)");
  const JsonCalls::Outcome outcome =
      calls_.post(vectors_path(at_), texts_body(at_, texts.first(count), taken));
  if (outcome.refusal.empty()) {
    for (Matrix& one : read(outcome.reply, count)) out->push_back(std::move(one));
    return count;
  }
  if (give_up_features(taken, outcome.refusal, count == 1)) return 0;
  if (count == 1) {
    throw Error(ErrorCode::input, format("{} {}; the text begins with \"{}\"", calls_.host(),
                                         outcome.refusal, short_line(texts[0].substr(0, 60))));
  }
  // Servers limit the texts or bytes of a call, each in its own way.
  texts_a_call_ = count / 2;
  log::step("{} {}; sending {} texts a call", calls_.host(), outcome.refusal, count / 2);
  return 0;
}

std::vector<Matrix> ServedVectors::embed_texts(std::span<const std::string> texts,
                                               models::TextRole role) const {
  const bool is_query = role == models::TextRole::query;
  const std::string& prefix = is_query ? found_.prefixes.query : found_.prefixes.passage;
  std::vector<std::string> whole;
  for (const std::string& text : texts) whole.push_back(prefix + text);
  std::vector<Matrix> vectors;
  vectors.reserve(whole.size());
  while (vectors.size() < whole.size()) {
    throw_if_interrupted();
    // A page encoder reads its questions in the same chat template as its pages.
    if (found_.kind == models::RetrieverKind::page) {
      count_sent(1, "(text)");
      vectors.push_back(embed_message({}, whole[vectors.size()]));
    } else {
      embed_some(std::span<const std::string>(whole).subspan(vectors.size()), &vectors);
    }
  }
  return vectors;
}

Matrix ServedVectors::embed_message(const std::string& picture, const std::string& text) const {
  for (;;) {
    const VectorHabits taken = habits();
    const JsonCalls::Outcome outcome =
        calls_.post(vectors_path(at_), message_body(at_, picture, text, taken));
    if (outcome.refusal.empty()) return std::move(read(outcome.reply, 1).front());
    if (give_up_features(taken, outcome.refusal, true)) continue;
    throw Error(ErrorCode::input, format("{} {}", calls_.host(), outcome.refusal));
  }
}

std::vector<Matrix> ServedVectors::embed_images(std::span<const Image> pages) const {
  if (!sees()) {
    throw Error(ErrorCode::usage,
                format("{} takes only texts, not images; if it takes images, put page: (one vector "
                       "a page) or late: (many) before its address",
                       found_.spec));
  }
  std::vector<Matrix> vectors;
  for (const Image& page : pages) {
    throw_if_interrupted();
    count_sent(1, "(unnamed)");
    vectors.push_back(embed_message(data_url(page, pictures_), found_.prefixes.passage));
  }
  return vectors;
}

bool names_served_encoder(std::string_view spec) { return is_served_with_kind(spec); }

ServedEncoder find_served_encoder(const std::string& spec, const models::GivenPrefixes& given,
                                  const OpenAiOptions& options) {
  std::string named = spec;
  const ServedAddress at = find_served(&named, options);
  return described(named, at, given);
}

std::unique_ptr<models::Encoder> make_served_encoder(const std::string& spec,
                                                     const models::GivenPrefixes& given,
                                                     const OpenAiOptions& options) {
  std::string named = spec;
  ServedAddress at = find_served(&named, options);
  ServedEncoder found = described(named, at, given);
  return std::make_unique<ServedVectors>(std::move(at), std::move(found), options, real_waiting());
}

}  // namespace fineprint::remote
