// Tests of fields of HTML forms as text.
#include "markup/form_fields.h"

#include <gtest/gtest.h>

#include "fineprint/core/unicode.h"

namespace fineprint::markup {
namespace {

// Returns the text of a form, with "|" at the ends of lines.
std::string text_of_form(const std::string& form) {
  Tree tree = Tree::of_html("<body>" + form + "</body>");
  EXPECT_TRUE(write_form_fields(&tree));
  std::string html = tree.to_html();
  for (std::size_t at = 0; (at = html.find("<br>", at)) != std::string::npos;) {
    html.replace(at, 4, "|");
  }
  return one_line(text_of(*Tree::of_html(html).root()));
}

TEST(FormFields, HaveTheLabelsThatNameThem) {
  EXPECT_EQ(text_of_form("<label for=a>Member</label><input id=a value='Petra Lind'>"),
            "Member: Petra Lind |");
  EXPECT_EQ(text_of_form("<label>Class <input value=Four></label>"), "Class: Four |");
  EXPECT_EQ(text_of_form("<label for=a><b>Why?</b></label><textarea id=a>No\nwind</textarea>"),
            "Why? No wind |");
  EXPECT_EQ(text_of_form("Town <input value=Anstey>"), "Town Anstey |");
}

TEST(FormFields, OfListsAreWhatIsChosen) {
  EXPECT_EQ(text_of_form("<label for=d>Day</label><select id=d><option>Mon<option selected>Thu"
                         "</select>"),
            "Day: Thu |");
  EXPECT_EQ(text_of_form("<select><option>Mon<option>Thu</select>"), "Mon |");
  EXPECT_EQ(text_of_form("<select multiple><option selected>Mon<option selected>Thu</select>"),
            "Mon, Thu |");
}

TEST(FormFields, BoxesAreTickedOrNot) {
  EXPECT_EQ(text_of_form("<input type=checkbox checked id=k><label for=k>Key</label>"
                         "<input type=radio id=m><label for=m>Male</label>"),
            "\u2612 Key \u2610 Male");
}

TEST(FormFields, KeepSecretsAndButtonsToThemselves) {
  EXPECT_EQ(text_of_form("a<input type=password value=b><input type=hidden value=c>"
                         "<input type=submit value=d><input>"),
            "a");
}

TEST(FormFields, AreNotEverywhere) {
  Tree tree = Tree::of_html("<p>text</p>");
  EXPECT_FALSE(write_form_fields(&tree));
}

}  // namespace
}  // namespace fineprint::markup
