// Recognises questions for a numbered part of a document.
#pragma once

#include <optional>
#include <string>

#include "fineprint/retrieve/query.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// A part that a question names: "clause" and "2.2" of "What does clause 2.2 say?".
struct AskedPart {
  std::string kind;    // in lower case; empty for "§ 4"
  std::string number;  // without a point at its end
};

// Returns the part that the question names, in English, German, French, Dutch, Spanish or Italian;
// nullopt if it names none or several.
std::optional<AskedPart> asked_part(const retrieve::Query& query);

// Returns whether the snippet begins with the number of the part, with or without its kind: "2.2
// Late payment costs ...", "Article 4. ...".
bool begins_asked_part(const Snippet& snippet, const AskedPart& part);

// Returns whether the question asks for nothing but what the part says: "What does clause 2.2
// say?". `language` is that of the page.
bool asks_what_part_says(const AskedPart& part, const std::string& language,
                         const retrieve::Query& query);

}  // namespace fineprint::pipelines::extractive
