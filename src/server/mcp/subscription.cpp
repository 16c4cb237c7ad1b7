// Compares the store as it is with the store as it was, whenever it was opened again.
#include "server/mcp/subscription.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/format.h"

#include "server/links.h"
#include "server/mcp/rpc.h"
#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";
constexpr auto kLookAgain = std::chrono::milliseconds(100);
constexpr std::size_t kMostPages = 1000;

// What the client wants to hear of.
struct Filter {
  bool list = false;                    // pages come or go
  std::vector<std::string> pages = {};  // addresses; the page's text changes
};

Filter filter_of(Fields& parameters) {
  const Json* given = parameters.value("notifications");
  if (given == nullptr || !given->is_object()) {
    throw RpcError(kWrongParameters, "'notifications' must be an object");
  }
  Fields fields(*given);
  Filter filter{.list = fields.flag("resourcesListChanged", false)};
  for (std::string& uri : fields.texts("resourceSubscriptions")) {
    // The client learns from the acknowledgement that other addresses are left out.
    if (parse_page_uri(uri)) filter.pages.push_back(std::move(uri));
  }
  if (filter.pages.size() > kMostPages) {
    throw RpcError(kWrongParameters,
                   format("'resourceSubscriptions' names {} pages; at most {} can be followed",
                          filter.pages.size(), kMostPages));
  }
  return filter;
}

// The parts of a store that a filter is about.
struct Seen {
  std::vector<std::pair<std::string, int>> documents;  // names and numbers of pages
  std::map<std::string, std::string> texts;            // by address; "" if there is no such page
};

Seen seen_in(const Service& service, const session::Session& session, const Filter& filter) {
  Seen seen;
  if (filter.list) {
    for (const session::CorpusDocument& document : session.corpus().documents()) {
      seen.documents.emplace_back(document.row.doc, document.row.page_count);
    }
  }
  for (const std::string& uri : filter.pages) {
    std::string& text = seen.texts[uri];
    try {
      text = page_text(service.page(*parse_page_uri(uri)).page);
    } catch (const Refusal&) {
      // There is no such page, now.
    }
  }
  return seen;
}

Json with_id(const Json& id, Json parameters = Json::object()) {
  parameters["_meta"][kSubscriptionKey] = id;
  return parameters;
}

Json agreed(const Filter& filter) {
  Json notifications = Json::object();
  if (filter.list) notifications["resourcesListChanged"] = true;
  if (!filter.pages.empty()) notifications["resourceSubscriptions"] = filter.pages;
  return {{"notifications", std::move(notifications)}};
}

void tell_changes(const Seen& before, const Seen& now, const Json& id, const SendMessage& send) {
  if (before.documents != now.documents) {
    send(notification("notifications/resources/list_changed", with_id(id)));
  }
  for (const auto& [uri, text] : now.texts) {
    if (before.texts.at(uri) == text) continue;
    send(notification("notifications/resources/updated", with_id(id, {{"uri", uri}})));
  }
}

}  // namespace

Json listen(const Service& service, const Json& id, Fields& parameters, const StopToken& stop,
            const SendMessage& send) {
  const Filter filter = filter_of(parameters);
  std::shared_ptr<const session::Session> session = service.session();
  Seen seen = seen_in(service, *session, filter);
  send(notification("notifications/subscriptions/acknowledged", with_id(id, agreed(filter))));
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kLookAgain);
    std::shared_ptr<const session::Session> now = service.session();
    if (now == session) continue;
    session = std::move(now);
    Seen later = seen_in(service, *session, filter);
    tell_changes(seen, later, id, send);
    seen = std::move(later);
  }
  return with_id(id);
}

}  // namespace fineprint::server
