// Describes each option once: a record for each member of a settings struct. Help, configuration
// files, environment variables, manifests and JSON are all made from these records.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fineprint {

// The type of an option's value. `bytes` is a size: "500000000", "500MB" or "2GiB".
enum class OptionType { boolean, integer, real, text, list, bytes };

// Option values as texts, not yet converted, by option name. A list has any number of texts, every
// other option exactly one. One empty text means "unset". For example: {"k", {"10"}}.
using OptionTexts = std::map<std::string, std::vector<std::string>, std::less<>>;

// The range of a number.
struct OptionBounds {
  std::optional<double> least = {}, most = {};  // inclusive
  std::optional<double> above = {};             // exclusive
};

// The description of an option, apart from its name, type and default.
struct OptionFacts {
  // One sentence fragment for help, without a final stop. configs/default.toml repeats it.
  std::string_view help;
  // The placeholder of the value in help, for example "N"; empty for a boolean.
  std::string_view value = {};
  std::string_view source = {};  // the source of the default: paper and section
  std::string_view brief = {};   // a short flag of one letter
  // The range of a number. check_texts enforces it, wherever the value comes from.
  OptionBounds bounds = {};
  // The default means "not set" and is shown as empty: for example, no limit, or a value that
  // depends on something else.
  bool unset = false;
  // Only a flag, because it concerns one call: not in files or the environment.
  bool flag_only = false;
  // Affects only where, how fast or how verbosely a run works, never its answers.
  bool same_answers = false;
  // Checks texts that need a form of their own. Returns why the text cannot be used ("expected two
  // numbers"), or nullopt if it can.
  std::optional<std::string> (*problem)(const std::string& text) = nullptr;
};

// One option: the record that help, files and flags are made from.
struct Option {
  // "k" is the flag --k, the key k in files and the variable FINEPRINT_K. "NAME.k" for a
  // pipeline's.
  std::string name;
  OptionType type = OptionType::text;
  std::vector<std::string> initial;  // the default: any number of texts for a list, else one
  std::vector<std::string> choices;  // the allowed texts; empty if any text is allowed
  OptionFacts facts = {};

  std::string choice_list() const;  // "on|off"
  // Returns true if the empty text, meaning "unset", is a valid value.
  bool may_be_unset() const;
};

// Throws Error(usage) if the texts are not valid for the option. `origin` says where they are from.
// For example: "--k: k = "ten" is not a whole number from 0 to 2147483647".
void check_texts(const Option& option, const std::vector<std::string>& texts,
                 const std::string& origin);

// Convert texts that have passed `check_texts`. They return 0 for anything else.
long whole_number(const std::string& text);
double real_number(const std::string& text);
std::uint64_t byte_count(const std::string& text);
// Returns the shortest text that reads back as the same number.
std::string number_text(double number);
// Returns the size in the largest unit that gives a whole number: "2GB", "4GiB", "1500".
std::string byte_text(std::uint64_t bytes);
// Splits at each separator. Empty parts are left out: "a,,b" gives "a" and "b".
std::vector<std::string> split_texts(std::string_view text, char separator);

// How a type of member is converted to texts and back. The specialisations below are the types that
// an option can have.
template <class Value>
struct OptionKind;

// "true" and "false", as TOML writes them.
template <>
struct OptionKind<bool> {
  static constexpr OptionType kType = OptionType::boolean;
  static std::vector<std::string> texts(bool value) { return {value ? "true" : "false"}; }
  static bool value(const std::vector<std::string>& texts) { return texts.front() == "true"; }
};
// Whole numbers; check_texts accepts 0 to 2147483647.
template <class Number>
struct WholeNumberKind {
  static constexpr OptionType kType = OptionType::integer;
  static std::vector<std::string> texts(Number value) { return {std::to_string(value)}; }
  static Number value(const std::vector<std::string>& texts) {
    return static_cast<Number>(whole_number(texts.front()));
  }
};
template <>
struct OptionKind<int> : WholeNumberKind<int> {};
template <>
struct OptionKind<long> : WholeNumberKind<long> {};
// Written with the fewest digits that read back as the same number, so that manifests stay
// readable.
template <>
struct OptionKind<double> {
  static constexpr OptionType kType = OptionType::real;
  static std::vector<std::string> texts(double value) { return {number_text(value)}; }
  static double value(const std::vector<std::string>& texts) { return real_number(texts.front()); }
};
// Written in seconds, because people think in seconds; rounded up to milliseconds.
template <>
struct OptionKind<std::chrono::milliseconds> {
  static constexpr OptionType kType = OptionType::real;
  static std::vector<std::string> texts(std::chrono::milliseconds value) {
    return {number_text(std::chrono::duration<double>(value).count())};
  }
  static std::chrono::milliseconds value(const std::vector<std::string>& texts) {
    return std::chrono::ceil<std::chrono::milliseconds>(
        std::chrono::duration<double>(real_number(texts.front())));
  }
};
// Text is kept as it is.
template <>
struct OptionKind<std::string> {
  static constexpr OptionType kType = OptionType::text;
  static std::vector<std::string> texts(const std::string& value) { return {value}; }
  static std::string value(const std::vector<std::string>& texts) { return texts.front(); }
};
// Any number of texts. A flag may be repeated; a file uses an array.
template <>
struct OptionKind<std::vector<std::string>> {
  static constexpr OptionType kType = OptionType::list;
  static std::vector<std::string> texts(const std::vector<std::string>& value) { return value; }
  static std::vector<std::string> value(const std::vector<std::string>& texts) { return texts; }
};
// An optional member; unset if it is empty.
template <class Value>
struct OptionKind<std::optional<Value>> {
  static constexpr OptionType kType = OptionKind<Value>::kType;
  static std::vector<std::string> texts(const std::optional<Value>& value) {
    return value ? OptionKind<Value>::texts(*value) : std::vector<std::string>{""};
  }
  static std::optional<Value> value(const std::vector<std::string>& texts) {
    return OptionKind<Value>::value(texts);
  }
};

// The texts of an enumeration's values, or of a boolean with names of its own ("on", "off").
template <class Enum>
using OptionNames = std::vector<std::pair<std::string_view, Enum>>;

// Names for values that are texts themselves, for example number formats.
inline OptionNames<std::string> own_names(std::initializer_list<std::string_view> texts) {
  OptionNames<std::string> names;
  for (const std::string_view text : texts) names.emplace_back(text, text);
  return names;
}

// For booleans whose names are clearer than true and false.
inline const OptionNames<bool> kOnOff = {{"on", true}, {"off", false}};

// The options of a struct, in the order in which help shows them. The defaults are the struct's own
// initialisers. For example:
//   OptionTable<Limits>().add("k", &Limits::k, {.help = "the number of pages", .value = "N"})
template <class Struct>
class OptionTable {
 public:
  // Adds an option for a member of a type that has an OptionKind.
  template <class Value>
  OptionTable& add(std::string_view name, Value Struct::* member, const OptionFacts& facts) {
    using Kind = OptionKind<Value>;
    return add(
        name, Kind::kType, [member](const Struct& from) { return Kind::texts(from.*member); },
        [member](const std::vector<std::string>& texts, Struct* to) {
          to->*member = Kind::value(texts);
        },
        facts);
  }

  // Adds an option for a number of bytes.
  template <class Number>
  OptionTable& add_bytes(std::string_view name, Number Struct::* member, const OptionFacts& facts) {
    return add(
        name, OptionType::bytes,
        [member](const Struct& from) {
          return Texts{byte_text(static_cast<std::uint64_t>(from.*member))};
        },
        [member](const Texts& texts, Struct* to) {
          to->*member = static_cast<Number>(byte_count(texts.front()));
        },
        facts);
  }

  // Adds an option whose value is one of several texts. An optional member may be unset.
  template <class Value, class Enum>
  OptionTable& add(std::string_view name, Value Struct::* member, const OptionNames<Enum>& names,
                   const OptionFacts& facts) {
    // An empty text means that an optional member is unset.
    const auto tell = [member, names](const Struct& from) {
      for (const auto& [text, value] : names) {
        if (from.*member == value) return Texts{std::string(text)};
      }
      return Texts{""};
    };
    const auto take = [member, names](const Texts& texts, Struct* to) {
      for (const auto& [text, value] : names) {
        if (texts.front() == text) to->*member = value;
      }
    };
    add(name, OptionType::text, tell, take, facts);
    for (const auto& [text, value] : names) options_.back().choices.emplace_back(text);
    return *this;
  }

  // Adds an option with a conversion of its own. `tell` returns the member's value as texts; `take`
  // stores texts that have passed `check_texts`.
  OptionTable& add(std::string_view name, OptionType type,
                   std::function<std::vector<std::string>(const Struct&)> tell,
                   std::function<void(const std::vector<std::string>&, Struct*)> take,
                   const OptionFacts& facts) {
    // The default comes from the struct, so that code and help cannot disagree.
    Texts initial = facts.unset ? Texts{""} : tell(Struct{});
    options_.push_back({.name = std::string(name),
                        .type = type,
                        .initial = std::move(initial),
                        .choices = {},
                        .facts = facts});
    tells_.push_back(std::move(tell));
    takes_.push_back(std::move(take));
    return *this;
  }

  // Adds all options of a struct that is a member of this one. Their defaults are the values that
  // this struct gives the member.
  template <class Part>
  OptionTable& add_part(Part Struct::* member, const OptionTable<Part>& table) {
    // The outer struct may have other defaults for its part than the part's own.
    const Struct defaults{};
    for (std::size_t i = 0; i < table.options().size(); ++i) {
      Option option = table.options()[i];
      if (!option.facts.unset) option.initial = table.tells()[i](defaults.*member);
      options_.push_back(std::move(option));
      tells_.push_back(
          [member, tell = table.tells()[i]](const Struct& from) { return tell(from.*member); });
      takes_.push_back([member, take = table.takes()[i]](const Texts& texts, Struct* to) {
        take(texts, &(to->*member));
      });
    }
    return *this;
  }

  // Returns `into` with the values that `texts` has for these options. Options that are unset or
  // missing in `texts` keep the value of `into`.
  Struct read(const OptionTexts& texts, Struct into = {}) const {
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const auto found = texts.find(options_[i].name);
      if (found == texts.end()) continue;
      const bool unset = options_[i].type != OptionType::list && found->second.front().empty() &&
                         options_[i].may_be_unset();
      if (!unset) takes_[i](found->second, &into);
    }
    return into;
  }

  // The options, and for each one (same index) the function that writes its value as texts and the
  // function that reads it.
  const std::vector<Option>& options() const { return options_; }
  using Tell = std::function<std::vector<std::string>(const Struct&)>;
  const std::vector<Tell>& tells() const { return tells_; }
  using Take = std::function<void(const std::vector<std::string>&, Struct*)>;
  const std::vector<Take>& takes() const { return takes_; }

 private:
  using Texts = std::vector<std::string>;
  std::vector<Option> options_;
  std::vector<Tell> tells_;  // one for each option
  std::vector<Take> takes_;
};

}  // namespace fineprint
