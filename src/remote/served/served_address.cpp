// Parses the addresses of encoders and rerankers on servers.
#include "remote/served/served_address.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"

#include "remote/openai/attempt.h"
#include "remote/openai/openai_generator.h"

namespace fineprint::remote {
namespace {

constexpr std::string_view kTeiPrefix = "tei:";
constexpr std::string_view kOllamaPrefix = "ollama:";
constexpr std::string_view kApiFolder = "/v1";

// Removes a kind and its ':' from the front of a SPEC.
std::pair<models::RetrieverKind, std::string_view> split_kind(std::string_view spec) {
  using Kind = models::RetrieverKind;
  for (const Kind kind : {Kind::text, Kind::late_text, Kind::page, Kind::late}) {
    const std::string_view name = models::kind_name(kind);
    if (!spec.starts_with(name) || !spec.substr(name.size()).starts_with(':')) continue;
    const std::string_view rest = spec.substr(name.size() + 1);
    if (is_served(rest)) return {kind, rest};  // else it is a folder with an odd name
  }
  return {Kind::text, spec};
}

std::string without_api_folder(std::string path) {
  if (path.ends_with(kApiFolder)) path.resize(path.size() - kApiFolder.size());
  return path;
}

ServerAddress tei_address(std::string_view spec) {
  const std::string_view place = spec.substr(kTeiPrefix.size());
  const std::size_t hash = std::min(place.find('#'), place.size());
  ServerAddress address =
      parse_url({spec, place.substr(0, hash), place.substr(std::min(hash + 1, place.size()))},
                "tei:URL or tei:URL#NAME as tei:http://localhost:8080");
  address.is_openai = false;
  return address;
}

// text-embeddings-inference serves one model and names it at /info.
std::string tei_model(const std::string& spec, const ServerAddress& address,
                      const OpenAiOptions& options) {
  const ChatServer server(address, options);
  const std::string body = server.get_body(address.base_path + "/info");
  try {
    std::string name = parse_json(body, "its description").at("model_id").get<std::string>();
    log::note("{} has the model {}; using it", address.host_and_port(), name);
    return name;
  } catch (const std::exception& error) {
    throw Error(
        ErrorCode::model,
        format("{} does not name its model at {}/info ({}); name it as {}#NAME",
               address.host_and_port(), address.base_path, server.told(error.what()), spec));
  }
}

std::string asked_name(const std::string& spec, const ServedAddress& at,
                       const OpenAiOptions& options) {
  if (at.protocol == Protocol::tei) return tei_model(spec, at.server, options);
  ServerAddress lists = at.server;
  if (at.protocol == Protocol::ollama) lists.base_path += kApiFolder;
  return only_model(spec, lists, options);
}

}  // namespace

std::string ServedAddress::root() const { return without_api_folder(server.base_path); }

bool is_served(std::string_view spec) { return spec.starts_with(kTeiPrefix) || is_address(spec); }

bool is_served_with_kind(std::string_view spec) { return is_served(split_kind(spec).second); }

ServedAddress parse_served(std::string_view spec) {
  const auto [kind, place] = split_kind(spec);
  ServedAddress at;
  at.kind = kind;
  if (place.starts_with(kTeiPrefix)) {
    at.protocol = Protocol::tei;
    at.server = tei_address(place);
  } else {
    at.server = parse_address(place);
    if (place.starts_with(kOllamaPrefix)) {
      at.protocol = Protocol::ollama;
      at.server.base_path = without_api_folder(at.server.base_path);
      at.server.is_openai = false;
    }
  }
  if (at.kind != models::RetrieverKind::text && at.protocol != Protocol::openai) {
    throw Error(ErrorCode::usage,
                format("{}: this kind of server gives one vector for each text and no others; "
                       "serve the model with vLLM and give {}:openai:URL#NAME",
                       spec, models::kind_name(at.kind)));
  }
  return at;
}

ServedAddress find_served(std::string* spec, const OpenAiOptions& options) {
  ServedAddress at = parse_served(*spec);
  if (!at.server.model.empty()) return at;
  at.server.model = asked_name(*spec, at, options);
  // After a URL, '#' precedes the name.
  if (spec->find("//") != std::string::npos && !spec->ends_with('#')) *spec += '#';
  *spec += at.server.model;
  return at;
}

}  // namespace fineprint::remote
