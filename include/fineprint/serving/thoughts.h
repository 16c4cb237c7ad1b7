// Separates a reply from what the model thinks before it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fineprint::serving {

// Removes thoughts from a text that arrives piece by piece. Thoughts precede the reply, between the
// marks of a known form, for example "<think>" and "</think>". If the prompt has opened them, only
// the closing mark comes, and everything before it is thoughts. The result does not depend on how
// the text is split into pieces, except for text that is taken back.
class ThoughtFilter {
 public:
  // Adds a piece. Returns the text of the reply that is now certain and was not returned before.
  std::string push(std::string_view piece);
  // Returns the text that was held back. Call it when the text ends.
  std::string finish();

  // Returns whether there were thoughts.
  bool thought() const { return thought_; }
  // Returns whether the last push() found that everything returned before it was thoughts, because
  // a closing mark came without an opening one.
  bool took_back() const { return took_back_; }
  // Returns the number of bytes that followed the last thoughts, marks after them included.
  std::size_t bytes_after() const { return bytes_after_; }

 private:
  enum class State { undecided, thoughts, reply, ended };

  bool advance(std::string* out);
  bool decide();
  bool leave_thoughts();
  bool pass_on(std::string* out);
  void begin_reply_after(std::size_t mark_end);

  State state_ = State::undecided;
  std::string held_;        // text that nothing is decided about
  std::string_view close_;  // the mark that ends the present thoughts
  bool is_object_ = false;  // the reply is JSON, in which marks are text
  bool thought_ = false, took_back_ = false, returned_ = false;
  std::size_t bytes_after_ = 0;
};

}  // namespace fineprint::serving
