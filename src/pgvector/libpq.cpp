// Opens libpq at run time.
#include "pgvector/libpq.h"

#include <dlfcn.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::pgvector {
namespace {

Error no_libpq() {
  return {ErrorCode::usage,
          format("vectors in a database need libpq: {}; apt-get install libpq5", dlerror())};
}

template <typename Function>
void look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw no_libpq();
}

Libpq open_libpq() {
  void* file = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (file == nullptr) throw no_libpq();
  Libpq out{};
  look_up(file, "PQconnectdb", out.connect);
  look_up(file, "PQstatus", out.status);
  look_up(file, "PQerrorMessage", out.error_message);
  look_up(file, "PQfinish", out.finish);
  look_up(file, "PQexec", out.exec);
  look_up(file, "PQexecParams", out.exec_params);
  look_up(file, "PQresultStatus", out.result_status);
  look_up(file, "PQresultErrorMessage", out.result_error);
  look_up(file, "PQntuples", out.row_count);
  look_up(file, "PQnfields", out.column_count);
  look_up(file, "PQgetvalue", out.value);
  look_up(file, "PQclear", out.clear);
  look_up(file, "PQputCopyData", out.put_copy_data);
  look_up(file, "PQputCopyEnd", out.put_copy_end);
  look_up(file, "PQgetResult", out.next_result);
  return out;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq library = open_libpq();
  return library;
}

}  // namespace fineprint::pgvector
