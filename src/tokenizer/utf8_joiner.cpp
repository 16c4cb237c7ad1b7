// Checks UTF-8 with a small state machine over bytes.
#include "tokenizer/utf8_joiner.h"

namespace fineprint::tokenizer {

bool Utf8Checker::accepts(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  if (missing_ > 0) {
    if (value < low_ || value > high_) return false;
    --missing_;
    low_ = 0x80;
    high_ = 0xBF;
    return true;
  }
  if (value < 0x80) return true;
  if (value < 0xC2 || value > 0xF4) return false;
  missing_ = value < 0xE0 ? 1 : value < 0xF0 ? 2 : 3;
  if (value == 0xE0) low_ = 0xA0;   // excludes overlong forms
  if (value == 0xED) high_ = 0x9F;  // excludes surrogates
  if (value == 0xF0) low_ = 0x90;
  if (value == 0xF4) high_ = 0x8F;  // excludes values above U+10FFFF
  return true;
}

void Utf8Joiner::add(std::string_view bytes, std::string* out) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (checker_.accepts(bytes[at])) {
      waiting_.push_back(bytes[at++]);
      if (!checker_.is_complete()) continue;
      *out += waiting_;
      waiting_.clear();
      continue;
    }
    out->append(kReplacement);
    if (waiting_.empty()) ++at;  // it starts no character; otherwise it is examined again
    waiting_.clear();
    checker_ = {};
  }
}

void Utf8Joiner::finish(std::string* out) {
  if (!waiting_.empty()) out->append(kReplacement);
  waiting_.clear();
  checker_ = {};
}

}  // namespace fineprint::tokenizer
