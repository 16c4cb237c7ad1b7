// Serves /healthz and /metrics.
#include <fstream>
#include <string>

#include <unistd.h>

#include "fineprint/core/json.h"

#include "server/metrics.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

// Returns the resident memory of this process, or 0 if the system does not report it.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

HttpReply health(const Served& served) {
  const auto session = served.service.session();
  return json_reply(dump_json({{"status", "ok"},
                               {"documents", session->corpus().documents().size()},
                               {"pages", session->corpus().page_count()}}));
}

HttpReply metrics(const Served& served) {
  const Service::Load load = served.service.load();
  const auto session = served.service.session();
  std::string text = served.metrics.text();
  text += gauge("fineprint_documents", "Documents in the store.",
                static_cast<double>(session->corpus().documents().size()));
  text += gauge("fineprint_pages", "Pages in the store.", session->corpus().page_count());
  text += gauge("fineprint_questions_running", "Questions being answered.", load.asking);
  text += gauge("fineprint_searches_running", "Searches being run.", load.searching);
  text += gauge("fineprint_pages_drawing", "Pages being drawn.", load.drawing);
  text += gauge("fineprint_waiting", "Requests that wait for their turn.", load.waiting);
  text += gauge("process_resident_memory_bytes", "Resident memory.",
                static_cast<double>(resident_bytes()));
  return {.type = "text/plain; version=0.0.4", .body = std::move(text)};
}

}  // namespace

void add_state_routes(const Served& served, std::vector<HttpRoute>* routes) {
  routes->push_back(
      {.method = "GET", .path = "/healthz", .is_open = true, .run = [&served](HttpRequest&) {
         return health(served);
       }});
  routes->push_back({.method = "GET", .path = "/metrics", .run = [&served](HttpRequest&) {
                       return metrics(served);
                     }});
}

}  // namespace fineprint::server
