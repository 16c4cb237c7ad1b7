// What a person may set, told once: a record beside the struct that holds the value. Help, files,
// environment, manifests and JSON all read the records.
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

// `bytes`: "500000000", "500MB", "2GiB".
enum class OptionType { boolean, integer, real, text, list, bytes };

// Values as they were typed, by the names of options: one text, those of a list, or one empty text
// for what is unset. Not yet converted.
using OptionTexts = std::map<std::string, std::vector<std::string>, std::less<>>;

// Bounds of a number.
struct OptionBounds {
  std::optional<double> least = {}, most = {};  // themselves allowed
  std::optional<double> above = {};             // itself not
};

// What is told of an option beside its member.
struct OptionFacts {
  std::string_view help;
  std::string_view value = {};   // what stands for the value in help, "N"; boolean: nothing
  std::string_view source = {};  // who says what the value is to be: paper and section
  std::string_view brief = {};   // a flag of one letter
  OptionBounds bounds = {};
  // The default stands for "not set", and is shown as nothing: no limit, or as something else has
  // it.
  bool unset = false;
  bool flag_only = false;  // is of one call: no file and no environment says it
  // Says where, how fast or how loudly a run works and never what is answered.
  bool same_answers = false;
  // Of texts with a form: why a text can't be used ("expected two numbers"); nullopt when it can.
  std::optional<std::string> (*problem)(const std::string& text) = nullptr;
};

struct Option {
  // "k": the flag --k, the key in files, FINEPRINT_K in the environment. "NAME.k" of a pipeline.
  std::string name;
  OptionType type = OptionType::text;
  std::vector<std::string> initial;  // the default: no text of a list, one (or an empty) of others
  std::vector<std::string> choices;  // the texts that are allowed; none: all
  OptionFacts facts = {};

  std::string choice_list() const;  // "on|off"
  bool may_be_unset() const;
};

// Throws Error(usage) for texts that the option can't have: "ORIGIN: k = "ten" is not a whole
// number ...".
void check_texts(const Option& option, const std::vector<std::string>& texts,
                 const std::string& origin);

// Texts that passed the check, as numbers; 0 for what is none.
long whole_number(const std::string& text);
double real_number(const std::string& text);
std::uint64_t byte_count(const std::string& text);
// The shortest text that reads back as the same number.
std::string number_text(double number);
// "2GB", "4GiB", "1500": the largest unit that gives a whole number.
std::string byte_text(std::uint64_t bytes);
std::vector<std::string> split_texts(std::string_view text, char separator);

// How a kind of member is written as texts and read from them; the kinds that there are.
template <class Value>
struct OptionKind;

template <>
struct OptionKind<bool> {
  static constexpr OptionType kType = OptionType::boolean;
  static std::vector<std::string> texts(bool value) { return {value ? "true" : "false"}; }
  static bool value(const std::vector<std::string>& texts) { return texts.front() == "true"; }
};
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
template <>
struct OptionKind<double> {
  static constexpr OptionType kType = OptionType::real;
  static std::vector<std::string> texts(double value) { return {number_text(value)}; }
  static double value(const std::vector<std::string>& texts) { return real_number(texts.front()); }
};
// In seconds.
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
template <>
struct OptionKind<std::string> {
  static constexpr OptionType kType = OptionType::text;
  static std::vector<std::string> texts(const std::string& value) { return {value}; }
  static std::string value(const std::vector<std::string>& texts) { return texts.front(); }
};
template <>
struct OptionKind<std::vector<std::string>> {
  static constexpr OptionType kType = OptionType::list;
  static std::vector<std::string> texts(const std::vector<std::string>& value) { return value; }
  static std::vector<std::string> value(const std::vector<std::string>& texts) { return texts; }
};
// Absent: unset.
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

// The texts of an enumeration's values (or those of a switch: "on", "off").
template <class Enum>
using OptionNames = std::vector<std::pair<std::string_view, Enum>>;

// Of values that are texts themselves: number formats, which the networks know by name.
inline OptionNames<std::string> own_names(std::initializer_list<std::string_view> texts) {
  OptionNames<std::string> names;
  for (const std::string_view text : texts) names.emplace_back(text, text);
  return names;
}

inline const OptionNames<bool> kOnOff = {{"on", true}, {"off", false}};

// The options of a struct, in the order in which they are shown. Defaults are those of the struct's
// own initialisers.
template <class Struct>
class OptionTable {
 public:
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

  // A number of bytes.
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

  // One of several texts. An optional member may be unset.
  template <class Value, class Enum>
  OptionTable& add(std::string_view name, Value Struct::* member, const OptionNames<Enum>& names,
                   const OptionFacts& facts) {
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

  // What has a form of its own. `take` gets texts that passed the check.
  OptionTable& add(std::string_view name, OptionType type,
                   std::function<std::vector<std::string>(const Struct&)> tell,
                   std::function<void(const std::vector<std::string>&, Struct*)> take,
                   const OptionFacts& facts) {
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

  // All options of a struct within this one; their defaults are those that it has here.
  template <class Part>
  OptionTable& add_part(Part Struct::* member, const OptionTable<Part>& table) {
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

  // `into` with what `texts` has for these options; what is unset, or not there, stays as it is.
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

  const std::vector<Option>& options() const { return options_; }
  using Tell = std::function<std::vector<std::string>(const Struct&)>;
  const std::vector<Tell>& tells() const { return tells_; }
  using Take = std::function<void(const std::vector<std::string>&, Struct*)>;
  const std::vector<Take>& takes() const { return takes_; }

 private:
  using Texts = std::vector<std::string>;
  std::vector<Option> options_;
  std::vector<Tell> tells_;  // of each
  std::vector<Take> takes_;
};

}  // namespace fineprint
