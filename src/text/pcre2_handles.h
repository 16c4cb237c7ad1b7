// PCRE2's objects with owners.
#pragma once

#include <memory>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace fineprint::text {

// A compiled expression and the limits of its matches.
struct Pcre2Code {
  pcre2_code* compiled = nullptr;
  pcre2_match_context* limits = nullptr;

  Pcre2Code() = default;
  Pcre2Code(const Pcre2Code&) = delete;
  Pcre2Code& operator=(const Pcre2Code&) = delete;
  ~Pcre2Code() {
    pcre2_match_context_free(limits);
    pcre2_code_free(compiled);
  }
};

struct MatchDataDeleter {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
using MatchData = std::unique_ptr<pcre2_match_data, MatchDataDeleter>;

}  // namespace fineprint::text
