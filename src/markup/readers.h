// One reader for each kind of file. A reader takes the bytes of a file and adds all its text.
// `name` is used in messages. Readers throw Error as read_markup does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/html.h"

namespace fineprint::markup {

// Adds values with the given separator. If it is 0, guesses the separator.
void add_delimited(const std::string& name, const std::string& bytes, char separator, Html* html);
// Adds JSON, or one JSON value per line, with indentation. Adds other text unchanged.
void add_json(const std::string& name, const std::string& bytes, Html* html);
// Adds the values of XML, each in a line with the name of its element and of the one around it.
// Parts of the root have headings. Adds text that is not XML unchanged.
void add_xml(const std::string& name, const std::string& bytes, Html* html);
// Adds text unchanged.
void add_plain(const std::string& name, const std::string& bytes, Html* html);

// Each returns the title of the message, which is its subject.
std::string add_mail(const std::string& name, const std::string& bytes, Html* html);
std::string add_outlook(const std::string& name, const std::string& bytes, Html* html);

// Returns the tables of Markdown in GitHub's form, with the texts that its markup shows.
std::vector<StatedTable> read_pipe_tables(std::string_view markdown);

// Adds the text of HTML from mail. Keeps only text and the ends of blocks.
void add_foreign_html(const std::string& html_text, Html* html);

}  // namespace fineprint::markup
