// Running text that nobody wrote: frequent English words, and rarer ones made of syllables.
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <string>

namespace fineprint::testing {

// A word by its rank: the lower, the more frequent.
inline std::string made_word(std::size_t rank) {
  constexpr std::array<const char*, 24> kFrequent = {
      "the",  "of",   "and",  "to",      "in",     "a",    "is",    "for",
      "that", "on",   "with", "as",      "was",    "were", "by",    "are",
      "year", "from", "this", "million", "report", "2023", "total", "net"};
  constexpr std::array<const char*, 16> kSyllables = {"ta",  "ren", "mo",   "lis", "ver", "con",
                                                      "per", "ing", "ed",   "al",  "su",  "fin",
                                                      "or",  "ch",  "ment", "ble"};
  if (rank < kFrequent.size()) return kFrequent[rank];
  if (rank % 11 == 0) return std::to_string(rank * 37) + ".5";
  std::string word;
  for (std::size_t rest = rank; rest > 0; rest /= kSyllables.size()) {
    word += kSyllables[rest % kSyllables.size()];
  }
  return word;
}

// `words` words in sentences of twelve; frequencies fall with the rank as in language (Zipf).
inline std::string made_text(std::size_t words, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    std::string word = made_word(static_cast<std::size_t>(std::pow(30'000, uniform(random))) - 1);
    if (i % 12 == 0 && word[0] >= 'a') word[0] = static_cast<char>(word[0] - 'a' + 'A');
    text += word + (i % 12 == 11 ? ".\n" : i % 12 == 5 ? ", " : " ");
  }
  return text;
}

}  // namespace fineprint::testing
