// The words of a question.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::dialogue {

// A word as it was typed, without the punctuation that ends a question, and its form in lists: in
// lower case and without punctuation around it.
struct Word {
  std::string text;
  std::string key;
};

using Words = std::vector<Word>;

// Returns the words of a question. Short forms are written out: "it's" gives "it is".
Words words_of(std::string_view question);

// Returns the words from `begin` to before `end` with blanks between them.
std::string text_of(std::span<const Word> words);

// Returns the text as a question: its first letter in upper case, and "?" at its end.
std::string as_question(std::string_view text);

// Returns whether the word begins with an upper-case letter.
bool is_capital(const Word& word);

}  // namespace fineprint::dialogue
