// Guesses an encoding: decodes the bytes in each one, and computes how likely the text is in each
// language that is written so. The probabilities are coarse: letters by their rank among the
// letters of the language, everything else by its kind. That is enough, because letters that were
// decoded wrongly are rare ones, capitals within words, or signs.
#include "core/encoding_guess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/uscript.h>

#include "fineprint/core/unicode.h"

#include "core/encoding_letters.h"

namespace fineprint {
namespace {

// An encoding that is tried. If several are equally likely, the first is taken.
struct TriedEncoding {
  const char* name;  // ICU's
  std::string_view languages;
  // The first bytes of the common ones among its characters of two bytes.
  unsigned char first_common = 0, last_common = 0;
  double handicap = 0;  // how much rarer it is than the others, as a logarithm
};

constexpr std::string_view kWestern = " en de fr es pt it nl da sv fi is sq ";
constexpr std::string_view kCentral = " cs pl hu sk hr ro de sq ";
constexpr TriedEncoding kTried[] = {
    {"windows-1252", kWestern},
    {"windows-1250", kCentral},
    {"windows-1251", " ru uk bg sr be "},
    {"KOI8-U", " ru uk "},
    {"windows-1253", " el "},
    {"windows-1254", " tr "},
    {"windows-1255", " he "},
    {"windows-1256", " ar fa "},
    {"windows-1257", " lv lt et "},
    {"windows-874", " th "},
    {"ibm-943_P15A-2003", " ja ", 0x82, 0x97},
    {"EUC-JP", " ja ", 0xA4, 0xCF},
    {"gb18030", " zh ", 0xB0, 0xD7},
    {"Big5-HKSCS", " zh-Hant ", 0xA4, 0xC6},
    {"windows-949", " ko ", 0xB0, 0xC8},
    {"ISO-8859-2", kCentral, 0, 0, 0.5},
    {"ISO-8859-15", " en de fr es pt it nl fi et ", 0, 0, 2},
    {"ISO-8859-5", " ru bg sr be ", 0, 0, 1},
    {"ISO-8859-6", " ar ", 0, 0, 1},
    {"ISO-8859-7", " el ", 0, 0, 0.5},
    {"ibm-866", " ru uk be ", 0, 0, 2},
    {"ibm-850", kWestern, 0, 0, 3},
    {"ibm-852", kCentral, 0, 0, 3},
    {"macintosh", kWestern, 0, 0, 3},
    {"UTF-16LE", "", 0, 0, 15},
    {"UTF-16BE", "", 0, 0, 15},
};

// Lines with other bytes than ASCII are looked at until they are so many.
constexpr std::size_t kMostGuessed = 16'384;
// Likely texts have more per byte that is not ASCII: -2 to -5.
constexpr double kLeastMean = -7.5;

// A character of a decoded text.
struct Letter {
  char32_t lower = 0;
  bool upper = false;
  bool common = false;      // by its first byte
  unsigned char bytes = 1;  // in the encoding
};

// Returns the lines with bytes that are not ASCII; text with NUL, which only UTF-16 has, as it is.
std::string telling_lines(std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos) {
    return std::string(bytes.substr(0, kMostGuessed));
  }
  std::string out;
  while (!bytes.empty() && out.size() < kMostGuessed) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    const std::string_view line = bytes.substr(0, std::min(end, kMostGuessed));
    if (std::ranges::any_of(line, [](char c) { return (c & 0x80) != 0; })) out += line;
    bytes.remove_prefix(end);
  }
  return out;
}

// Returns the characters of the bytes; none if some bytes do not fit the encoding.
std::vector<Letter> letters_in(const std::string& bytes, const TriedEncoding& tried, bool is_cut) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, void (*)(UConverter*)> converter(ucnv_open(tried.name, &status),
                                                                     ucnv_close);
  if (U_FAILURE(status)) return {};
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  std::vector<Letter> out;
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  while (at < end) {
    const char* begin = at;
    const UChar32 c = ucnv_getNextUChar(converter.get(), &at, end, &status);
    if (U_FAILURE(status)) {
      // The sample may end within a character.
      return is_cut && end - begin < 4 ? out : std::vector<Letter>();
    }
    const auto lead = static_cast<unsigned char>(*begin);
    const UChar32 lower = u_tolower(c);
    out.push_back({.lower = static_cast<char32_t>(lower),
                   .upper = lower != c,
                   .common = lead >= tried.first_common && lead <= tried.last_common,
                   .bytes = static_cast<unsigned char>(at - begin)});
  }
  return out;
}

// The probabilities of one language.
class Language {
 public:
  explicit Language(const LettersRow& row) : row_(row) {
    for (std::size_t at = 0; at < row.letters.size();) {
      const auto rank = static_cast<double>(ranks_.size());
      ranks_.emplace(next_code_point(row.letters, &at), std::log(share(rank)));
    }
    for (std::size_t at = 0; at < row.words.size();) {
      const std::size_t end = std::min(row.words.find(' ', at), row.words.size());
      words_.emplace(row.words.substr(at, end - at));
      at = end + 1;
    }
  }

  std::string_view name() const { return row_.language; }

  // Returns the logarithm of the probability of the text.
  double likelihood(const std::vector<Letter>& text) const {
    double sum = 0;
    std::string word;
    std::set<std::string> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
      sum += of(text[i]);
      if (i > 0) sum += after(text[i - 1], text[i]);
      if (is_letter(text[i].lower)) {
        append_utf8(text[i].lower, &word);
      } else {
        if (words_.contains(word)) found.insert(word);
        word.clear();
      }
    }
    if (words_.contains(word)) found.insert(word);
    return sum + kWord * static_cast<double>(std::min(found.size(), kMostWords));
  }

 private:
  static constexpr double kWord = 1.0;
  static constexpr std::size_t kMostWords = 6;

  // Returns the share of the letter of this rank in a text.
  double share(double rank) const {
    if (row_.writing == Writing::latin) return 0.03 * std::exp(-rank / 4) + 0.0005;
    if (row_.writing == Writing::alphabet) return 0.1 * std::exp(-rank / 8) + 0.0005;
    return 0.04 / (1 + rank / 5);
  }

  double of(const Letter& letter) const {
    const char32_t c = letter.lower;
    if (c < 0x80) return of_ascii(c);
    const double capital = letter.upper ? std::log(0.1) : 0;
    if (const auto found = ranks_.find(c); found != ranks_.end()) return found->second + capital;
    return std::log(of_other(letter));
  }

  double of_ascii(char32_t c) const {
    static const double kBlank = std::log(0.15), kRareBlank = std::log(0.02),
                        kSign = std::log(0.03), kControl = std::log(1e-7);
    if (c == ' ') {
      const bool rare = row_.writing == Writing::ideographs && row_.language != "ko";
      return rare ? kRareBlank : kBlank;
    }
    return c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' ? kControl : kSign;
  }

  // Returns the share of a character that is no usual letter of the language.
  double of_other(const Letter& letter) const {
    const char32_t c = letter.lower;
    // Control characters, and code points that are no characters.
    const bool is_used = U_GET_GC_MASK(static_cast<UChar32>(c)) & ~(U_GC_C_MASK);
    if (!is_used || c == 0xFFFD) return 1e-9;
    if (row_.writing == Writing::ideographs) {
      if (c >= 0x3000 && c <= 0x301F) return 0.01;  // 、。「」
      if (c == 0xFF0C || c == 0xFF1A || c == 0xFF1B || c == 0xFF08 || c == 0xFF09) return 0.01;
      if (c >= 0xFF61 && c <= 0xFF9F) return 1e-4;  // narrow kana
      const bool is_han = uscript_hasScript(static_cast<UChar32>(c), USCRIPT_HAN) != 0;
      if (row_.language == "ko" ? c >= 0xAC00 && c <= 0xD7A3 : is_han || is_han_or_kana(c)) {
        return letter.common ? 1.2e-4 : 2e-6;
      }
      return c >= 0xFF01 && c <= 0xFF5E ? 1e-4 : 1e-7;
    }
    if (c == U'€' || c == U'£') return 0.02;
    static constexpr std::u32string_view kPrinted = U"“”„’‘–—…«»°§№\u00a0·•±×²³½©®‚‹›";
    if (kPrinted.find(c) != std::u32string_view::npos) return 0.002;
    if (!is_letter(c)) return 1e-5;
    return c < 0x250 && row_.writing == Writing::latin ? 3e-5 : 3e-6;
  }

  // Returns the logarithm of a factor for what seldom follows each other.
  static double after(const Letter& before, const Letter& letter) {
    static const double kSeldom = std::log(1e-3);
    const bool has_letters = is_letter(before.lower) && is_letter(letter.lower);
    if (!has_letters) return 0;
    const bool is_capital_within = letter.upper && !before.upper && is_cased(before.lower);
    return is_capital_within || is_latin(before.lower) != is_latin(letter.lower) ? kSeldom : 0;
  }

  static bool is_cased(char32_t c) {
    return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_CASED) != 0;
  }
  static bool is_latin(char32_t c) {
    UErrorCode status = U_ZERO_ERROR;
    return c < 0x80 || uscript_getScript(static_cast<UChar32>(c), &status) == USCRIPT_LATIN;
  }

  const LettersRow& row_;
  std::map<char32_t, double> ranks_;
  std::set<std::string> words_;
};

const std::vector<Language>& tried_languages() {
  static const std::vector<Language> kLanguages = [] {
    std::vector<Language> out;
    for (const LettersRow& row : letters_rows()) out.emplace_back(row);
    return out;
  }();
  return kLanguages;
}

bool is_written_in(const Language& language, const TriedEncoding& tried) {
  const std::string name = " " + std::string(language.name()) + " ";
  return tried.languages.empty() || tried.languages.find(name) != std::string_view::npos;
}

// Returns how many bytes of the text a guess depends on.
std::size_t telling_bytes(const std::vector<Letter>& text) {
  std::size_t count = 0;
  for (const Letter& letter : text) {
    if (letter.lower >= 0x80 || letter.lower == 0) count += letter.bytes;
  }
  return count;
}

// Returns the part of a likelihood that is due to characters other than ASCII, for each byte.
double mean_likelihood(const Language& language, const std::vector<Letter>& text) {
  std::vector<Letter> ascii;
  for (const Letter& letter : text) {
    if (letter.lower < 0x80 && letter.lower != 0) ascii.push_back(letter);
  }
  const double rest = language.likelihood(text) - language.likelihood(ascii);
  return rest / static_cast<double>(std::max<std::size_t>(telling_bytes(text), 1));
}

}  // namespace

std::vector<std::string> guessed_encodings() {
  std::vector<std::string> names;
  for (const TriedEncoding& tried : kTried) names.emplace_back(tried.name);
  return names;
}

std::string guess_encoding(std::string_view bytes) {
  const std::string sample = telling_lines(bytes);
  std::string best;
  double most = -INFINITY, mean = -INFINITY;
  for (const TriedEncoding& tried : kTried) {
    const std::vector<Letter> text = letters_in(sample, tried, sample.size() < bytes.size());
    for (const Language& language : tried_languages()) {
      if (text.empty() || !is_written_in(language, tried)) continue;
      const double likelihood = language.likelihood(text) - tried.handicap;
      if (likelihood <= most) continue;
      most = likelihood;
      mean = mean_likelihood(language, text);
      best = tried.name;
    }
  }
  return mean >= kLeastMean ? best : "";
}

}  // namespace fineprint
