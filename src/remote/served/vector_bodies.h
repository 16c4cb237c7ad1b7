// Bodies of calls for vectors and scores, and what the replies hold.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/core/matrix.h"

#include "remote/served/served_address.h"

namespace fineprint::remote {

// The features that a server with OpenAI's interface accepts, as far as is known.
struct VectorHabits {
  bool base64 = true;    // vectors as base64, which is exact and a quarter as long
  bool truncate = true;  // vLLM cuts off the end of a text that is too long
  bool task = true;      // /pooling is asked for the vectors of tokens by name

  bool operator==(const VectorHabits&) const = default;
};

// Returns `habits` without the features that `refused` names, which is the server's error for a
// body of `habits`. Returns `habits` unchanged if it names none.
VectorHabits without_refused(const VectorHabits& habits, const std::string& refused);

// Returns the path and the body of a call for the vectors of texts.
std::string vectors_path(const ServedAddress& at);
std::string texts_body(const ServedAddress& at, std::span<const std::string> texts,
                       const VectorHabits& habits);
// Returns the body of a call for the vectors of one chat message with a picture (a data URL), a
// text, or a picture followed by a text. Empty: none.
std::string message_body(const ServedAddress& at, const std::string& picture,
                         const std::string& text, const VectorHabits& habits);

// Returns the path and the body of a call for the scores of passages.
std::string rerank_path(const ServedAddress& at);
std::string rerank_body(const ServedAddress& at, const std::string& question,
                        std::span<const std::string> passages, const VectorHabits& habits);

// Returns the matrices of a reply in the order of the inputs, whatever the order of the reply, with
// rows of unit length. Throws BrokenReply if it does not have exactly `count` of them or a value is
// not a number.
std::vector<Matrix> read_vectors(const ServedAddress& at, const Json& reply, std::size_t count);

// Returns the scores of a reply in the order of the passages. Throws BrokenReply as read_vectors()
// does, and if a score is not between 0 and 1.
std::vector<double> read_scores(const ServedAddress& at, const Json& reply, std::size_t count);

}  // namespace fineprint::remote
