// Parses JSON and stops at a limit, instead of running out of memory or stack.
#include "fineprint/core/json.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"

namespace fineprint {
namespace {

// Builds the value from the parser's events. The builder of nlohmann/json compares each new key
// with all earlier keys of its object, which takes minutes for a vocabulary of 150,000 words. This
// one appends keys and removes repeated ones when the object ends.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(const JsonLimits& limits) : limits_(limits) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    keys_.back() = std::move(value);
    return true;
  }
  bool end_object() override {
    drop_repeated_keys(open_.back());
    return (repeated_key_.empty() || !limits_.unique_keys) && close();
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    position_ = position;
    reason_ = error.what();
    // The library's messages look like this; users need only the part from "syntax error" on:
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
    const std::size_t start = reason_.find("syntax error");
    reason_ =
        start == std::string::npos ? reason_.substr(reason_.find(']') + 2) : reason_.substr(start);
    reason_ = shortened(reason_, kMostReason);  // it quotes the last text that was read
    return false;
  }

  Json take() { return std::move(root_); }
  bool too_deep() const { return too_deep_; }
  // "the key 'NAME'"; empty if no key is repeated
  const std::string& repeated_key() const { return repeated_key_; }
  std::size_t position() const { return position_; }
  const std::string& reason() const { return reason_; }

 private:
  // Appends a finished value to the container that is open, or makes it the root.
  bool add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_array()) {
      open_.back().get_ref<Json::array_t&>().push_back(std::move(value));
    } else {
      open_.back().get_ref<Json::object_t&>().emplace_back(std::move(keys_.back()),
                                                           std::move(value));
    }
    return true;
  }
  bool open(Json value) {
    too_deep_ = open_.size() >= static_cast<std::size_t>(limits_.max_depth);
    if (too_deep_) return false;
    open_.push_back(std::move(value));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    Json value = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return add(std::move(value));
  }

  // Keeps the last value of each key, at its position, because that is what most readers do.
  void drop_repeated_keys(Json& value) {
    auto& object = value.get_ref<Json::object_t&>();
    std::unordered_map<std::string_view, const Json*> last;
    last.reserve(object.size());
    for (const auto& [name, member] : object) last[name] = &member;
    if (last.size() == object.size()) return;
    Json::object_t unique;
    unique.reserve(last.size());
    for (auto& [name, member] : object) {
      if (last[name] == &member) {
        unique.emplace_back(name, std::move(member));
      } else {
        repeated_key_ = "the key '" + name + "'";
      }
    }
    value = Json(std::move(unique));
  }

  static constexpr std::size_t kMostReason = 300;

  JsonLimits limits_;
  Json root_;
  std::vector<Json> open_;         // open containers, outermost first
  std::vector<std::string> keys_;  // for each of them, the key that waits for its value
  bool too_deep_ = false;
  std::string repeated_key_;
  std::size_t position_ = 0;
  std::string reason_;
};

}  // namespace

Json parse_json(std::string_view text, std::string_view what, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    throw Error(ErrorCode::input, format("{}: {} bytes of JSON are more than the limit of {}", what,
                                         text.size(), limits.max_bytes));
  }
  Builder builder(limits);
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  if (builder.too_deep()) {
    throw Error(ErrorCode::input,
                format("{}: JSON is nested deeper than the limit of {}", what, limits.max_depth));
  }
  if (limits.unique_keys && !builder.repeated_key().empty()) {
    throw Error(ErrorCode::input, format("{}: JSON repeats {}", what, builder.repeated_key()));
  }
  throw Error(ErrorCode::input, format("{}: not valid JSON at byte {}: {}", what,
                                       builder.position(), builder.reason()));
}

std::string dump_json(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace fineprint
