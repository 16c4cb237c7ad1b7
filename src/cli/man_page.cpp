// Writes manual pages in the man macros of roff.
#include "cli/man_page.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "fineprint/core/format.h"

#include "cli/command_words.h"
#include "cli/help_texts.h"

namespace fineprint::cli {
namespace {

// Escapes text so that roff prints it unchanged, also at the beginning of a line.
std::string roff(std::string_view text) {
  std::string set;
  for (const char letter : text) {
    if (letter == '\\') {
      set += "\\e";
      // An unescaped hyphen is printed as a typographic one, which nobody can paste into a shell.
    } else if (letter == '-') {
      set += "\\-";
    } else {
      set += letter;
    }
  }
  const bool is_request = !set.empty() && (set.front() == '.' || set.front() == '\'');
  return is_request ? "\\&" + set : set;
}

// Manual pages have their headings in capitals.
std::string upper(std::string_view text) {
  std::string all(text);
  std::ranges::transform(all, all.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return all;
}

// The date is left out (""), so that the same version always writes the same page.
std::string head(const std::string& name) {
  return format(".TH {} 1 \"\" \"{}\" \"fineprint\"\n", roff(upper(name)), program_version());
}

std::string section(std::string_view title) { return format(".SH {}\n", roff(upper(title))); }

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }

std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string verbatim(std::string_view text) { return format(".PP\n.nf\n{}\n.fi\n", roff(text)); }

// Formats a topic: its title, then its paragraphs. Lines that begin with a blank keep their layout.
std::string topic_section(const HelpText& topic) {
  std::istringstream lines{std::string(topic.text)};
  std::string line;
  std::getline(lines, line);
  std::string text = section(line);
  // Filled text would join the lines of tables and examples.
  bool in_table = false;
  const auto set_table = [&](bool table) {
    if (table != in_table) text += table ? ".PP\n.nf\n" : ".fi\n";
    in_table = table;
  };
  while (std::getline(lines, line)) {
    if (line.empty()) {
      set_table(false);
      text += ".PP\n";
    } else {
      set_table(line.front() == ' ');
      text += roff(line) + "\n";
    }
  }
  set_table(false);
  return text;
}

// Returns the entry of one option: names, help, choices, default and source.
std::string option_entry(const Flag& flag) {
  const Option& option = *flag.option;
  std::string names = flag.brief.empty() ? "" : bold(flag.brief) + ", ";
  names += bold(flag.name);
  if (flag.takes_value) names += " " + italic(option.facts.value);
  std::string text = format(".TP\n{}\n{}", names, roff(option.facts.help));
  if (!option.choices.empty()) text += roff(format(" ({})", option.choice_list()));
  text += ".";
  std::string initial;
  for (const std::string& one : option.initial) initial += (initial.empty() ? "" : ",") + one;
  if (!initial.empty() && flag.takes_value) text += format(" Default: {}.", roff(initial));
  if (!option.facts.source.empty()) text += format(" Source: {}.", roff(option.facts.source));
  return text + "\n";
}

// Lists the options under the common heading first, then section by section.
std::string options_text(const Command& command) {
  const std::vector<Flag> flags = flags_of(command);
  std::string common, others, last_heading;
  for (const Flag& flag : flags) {
    if (flag.is_common) {
      common += option_entry(flag);
      continue;
    }
    // Options come in the order of sections, so a change of the name begins one.
    if (flag.option->section != last_heading) {
      others += format(".SS {}\n", roff(flag.option->section));
      last_heading = flag.option->section;
    }
    others += option_entry(flag);
  }
  common += format(".TP\n{}, {}\nShow a short list of the options.\n", bold("-h"), bold("--help"));
  return others.empty() ? common : format(".SS {}\n{}{}", roff(kCommonHeading), common, others);
}

std::string page_of(std::string_view command) { return format("fineprint-{}", command); }

// Returns references to the pages of all commands except `left_out`.
std::string see_also(std::string_view left_out) {
  std::string text = section("See also");
  std::string pages;
  for (const Command& command : commands()) {
    if (command.name == left_out) continue;
    pages += format("{}{}(1)", pages.empty() ? "" : ",\n", bold(page_of(command.name)));
  }
  return text + pages + "\n";
}

}  // namespace

std::string program_manual() {
  std::string page = head("fineprint") + section("Name") +
                     roff(
                         "fineprint - answers questions over folders of documents and shows the "
                         "pages that support the answers") +
                     "\n" + section("Synopsis") +
                     format("{} {} [{}] [{}]\n", bold("fineprint"), italic("COMMAND"),
                            italic("ARGUMENT..."), italic("OPTION...")) +
                     section("Commands");
  for (const Command& command : commands()) {
    page += format(".TP\n{} {}\n{}.\n", bold(command.name), italic(command.arguments),
                   roff(command.summary));
  }
  for (const HelpText& topic : help_topics()) page += topic_section(topic);
  return page + see_also("");
}

std::string command_manual(const Command& command) {
  const std::string name = page_of(command.name);
  return head(name) + section("Name") + roff(format("{} - {}", name, command.summary)) + "\n" +
         section("Synopsis") +
         format("{} {} [{}]\n", bold(format("fineprint {}", command.name)),
                italic(command.arguments), italic("OPTION...")) +
         section("Options") + options_text(command) + section("Example") +
         verbatim(command.example) + section("Exit status") +
         format("See {}(1).\n", bold("fineprint")) + section("See also") +
         format("{}(1)\n", bold("fineprint"));
}

}  // namespace fineprint::cli
