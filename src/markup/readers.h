// One reader for each kind of file. Each takes the file's bytes and adds its whole text; `name`
// stands in messages. They throw Error as read_markup does.
#pragma once

#include <string>

#include "markup/html.h"

namespace fineprint::markup {

// Values with one separator or, when it is 0, the one that the file seems to have.
void add_delimited(const std::string& bytes, char separator, Html* html);
// JSON, indented; a value a line likewise; what is no JSON as it is.
void add_json(const std::string& bytes, Html* html);
// Text as it is.
void add_plain(const std::string& bytes, Html* html);

// Each returns the title that the file has.
std::string add_mail(const std::string& name, const std::string& bytes, Html* html);
std::string add_outlook(const std::string& name, const std::string& bytes, Html* html);

// Text of HTML by somebody else: nothing but its text and where its blocks end is taken over.
void add_foreign_html(const std::string& html_text, Html* html);

}  // namespace fineprint::markup
