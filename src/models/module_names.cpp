// Matches names of modules with lists of names and patterns.
#include "models/module_names.h"

#include <algorithm>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

constexpr std::string_view kPattern = "re:";
// Limits for files from strangers; published folders have a few short patterns.
constexpr std::size_t kMostPatterns = 64;
constexpr std::size_t kMaxPatternBytes = 1024;
constexpr std::uint32_t kMaxSteps =
    20000;  // matching steps for one name; beyond it, the pattern does not match

template <class T>
// PCRE2 returns null if memory runs out.
std::shared_ptr<T> owned(T* made, void (*free)(T*)) {
  if (made == nullptr) throw Error(ErrorCode::out_of_memory, "no memory for a pattern");
  return {made, free};
}

}  // namespace

struct ModuleNames::Pattern {
  std::shared_ptr<pcre2_code> code;
  std::shared_ptr<pcre2_match_context> limits;
  std::shared_ptr<pcre2_match_data> found;

  Pattern(const std::string& expression, const std::string& file) {
    int error = 0;
    std::size_t at = 0;
    // NEVER_UTF and NEVER_BACKSLASH_C: names are bytes, and a pattern must not change that.
    pcre2_code* compiled = pcre2_compile(
        reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
        PCRE2_ANCHORED | PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &at, nullptr);
    if (compiled == nullptr) {
      throw Error(ErrorCode::model,
                  format("{}: \"{}{}\" is not a valid pattern: error at offset {} (PCRE2 {})", file,
                         kPattern, expression, at, error));
    }
    code = {compiled, pcre2_code_free};
    limits = owned(pcre2_match_context_create(nullptr), pcre2_match_context_free);
    // A pattern from a file could otherwise take exponential time.
    pcre2_set_match_limit(limits.get(), kMaxSteps);
    pcre2_set_depth_limit(limits.get(), kMaxSteps);
    found = owned(pcre2_match_data_create_from_pattern(compiled, nullptr), pcre2_match_data_free);
  }
};

ModuleNames::ModuleNames(const std::vector<std::string>& listed, const std::string& file) {
  for (const std::string& name : listed) {
    if (!name.starts_with(kPattern)) {
      // An empty entry names no module.
      if (!name.empty()) names_.insert(name);
      continue;
    }
    const std::string expression = name.substr(kPattern.size());
    if (patterns_.size() == kMostPatterns || expression.size() > kMaxPatternBytes) {
      throw Error(ErrorCode::model,
                  format("{}: more than {} patterns of module names, or one of more than "
                         "{} bytes",
                         file, kMostPatterns, kMaxPatternBytes));
    }
    patterns_.push_back(std::make_shared<const Pattern>(expression, file));
  }
}

bool ModuleNames::match(std::string_view module) const {
  return std::ranges::any_of(patterns_, [&](const auto& pattern) {
    return pcre2_match(pattern->code.get(), reinterpret_cast<PCRE2_SPTR>(module.data()),
                       module.size(), 0, 0, pattern->found.get(), pattern->limits.get()) >= 0;
  });
}

bool ModuleNames::name(std::string_view module) const {
  return names_.contains(module) || match(module);
}

bool ModuleNames::name_part_of(std::string_view module) const {
  // Looks up every run of dotted parts, because a list may name a part in the middle.
  for (std::size_t begin = 0; begin != std::string_view::npos && !names_.empty();) {
    for (std::size_t end = module.find('.', begin);; end = module.find('.', end + 1)) {
      if (names_.contains(
              module.substr(begin, end == std::string_view::npos ? end : end - begin))) {
        return true;
      }
      if (end == std::string_view::npos) break;
    }
    const std::size_t dot = module.find('.', begin);
    begin = dot == std::string_view::npos ? dot : dot + 1;
  }
  return match(module);
}

}  // namespace fineprint::models
