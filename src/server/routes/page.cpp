// Serves the web page and its files.
#include <string>

#include "server/routes/routes.h"
#include "server_page.inc"

namespace fineprint::server {
namespace {

// Nothing is loaded from other sites, and no script or style is inline. Scripts and styles come
// from this server, and pictures are blobs that the script has fetched.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob: data:; connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void add_text(const char* path, const char* type, std::string_view text,
              std::vector<HttpRoute>* routes) {
  routes->push_back(
      {.method = "GET", .path = path, .is_open = true, .run = [type, text](HttpRequest&) {
         return HttpReply{.type = type,
                          .body = std::string(text),
                          .headers = {{"Content-Security-Policy", kPolicy}}};
       }});
}

}  // namespace

void add_page_routes(std::vector<HttpRoute>* routes) {
  add_text("/", "text/html; charset=utf-8", kServerPage, routes);
  add_text("/page.css", "text/css; charset=utf-8", kServerStyle, routes);
  add_text("/page.js", "text/javascript; charset=utf-8", kServerScript, routes);
}

}  // namespace fineprint::server
