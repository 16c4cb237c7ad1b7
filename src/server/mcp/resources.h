// The pages of a store as resources of MCP.
#pragma once

#include "fineprint/core/json.h"
#include "fineprint/server/service.h"

#include "server/fields.h"

namespace fineprint::server {

// Return the results of resources/list, resources/templates/list and resources/read. Throw RpcError
// for a cursor that the first did not return and for a page that is not in the store, and
// Refusal(400) for fields of another type.
Json list_resources(const Service& service, Fields& parameters);
Json list_templates();
Json read_resource(const Service& service, Fields& parameters);

}  // namespace fineprint::server
