// The functions of libpq that are used, opened at run time.
#pragma once

#include <string>

namespace fineprint::pgvector {

// libpq's own types, of which only the addresses are used.
struct PgConnection;
struct PgResult;

// Numbers of libpq's interface, which never change.
inline constexpr int kConnectionOk = 0;
inline constexpr int kCommandOk = 1, kTuplesOk = 2, kCopyIn = 4;

struct Libpq {
  PgConnection* (*connect)(const char* address);
  int (*status)(const PgConnection*);
  char* (*error_message)(const PgConnection*);
  void (*finish)(PgConnection*);
  PgResult* (*exec)(PgConnection*, const char* sql);
  PgResult* (*exec_params)(PgConnection*, const char* sql, int count, const unsigned* types,
                           const char* const* values, const int* lengths, const int* formats,
                           int result_format);
  int (*result_status)(const PgResult*);
  char* (*result_error)(const PgResult*);
  int (*row_count)(const PgResult*);
  int (*column_count)(const PgResult*);
  char* (*value)(const PgResult*, int row, int column);
  void (*clear)(PgResult*);
  int (*put_copy_data)(PgConnection*, const char* bytes, int count);
  int (*put_copy_end)(PgConnection*, const char* error);
  PgResult* (*next_result)(PgConnection*);
};

// Returns the library. Throws Error(usage) naming its package if it is not installed.
const Libpq& libpq();

}  // namespace fineprint::pgvector
