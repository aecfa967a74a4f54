#include "c/call.h"

#include <omp.h>

#include <new>

#include "c/buffers.h"

namespace mgnn::c {
namespace {

struct LastError {
  int kind = MGNN_OK;
  int64_t line = 0;
  std::string message, path, hint, hint_value;
};
thread_local LastError last_error;

// In the order of Hint::Topic.
constexpr const char* kHints[] = {"",
                                  "setting",
                                  "overwrite",
                                  "strict",
                                  "format",
                                  "string_ids",
                                  "separator",
                                  "trim",
                                  "nodes",
                                  "label_column",
                                  "type_column",
                                  "target_column",
                                  "relation_column",
                                  "end_columns",
                                  "model",
                                  "list_settings",
                                  "list_datasets",
                                  "list_files",
                                  "download",
                                  "train",
                                  "embed",
                                  "resume"};
static_assert(std::size(kHints) == Hint::resume + 1);

int keep(int kind, std::string message) {
  last_error = {.kind = kind, .message = std::move(message)};
  return kind;
}

int keep(const Error& error) {
  last_error = {.kind = int(error.kind()),
                .line = error.line(),
                .message = error.what(),
                .path = error.path(),
                .hint = kHints[error.hint().topic],
                .hint_value = error.hint().value};
  return last_error.kind;
}

ProgressSink sink_of(const mgnn_call& call) {
  if (!call.progress) return {};
  return [=](const ProgressReport& r) {
    const std::string label(r.label), unit(r.unit), note(r.note);
    call.progress(call.progress_context, label.c_str(), r.done, r.total, unit.c_str(), note.c_str(),
                  r.finished);
  };
}

std::function<bool()> poll_of(const mgnn_call& call) {
  if (!call.poll) return {};
  return [=] { return call.poll(call.poll_context) != 0; };
}

int threads_of(const mgnn_call& call) {
  constexpr int64_t kMaxThreads = 1024;
  check(call.threads >= 0 && call.threads <= kMaxThreads, "threads is {}; use 0 (all) to {}",
        call.threads, kMaxThreads);
  return int(call.threads);
}

}  // namespace

// Memory may be short here, too.
int keep_error() noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return keep(error);
    } catch (const std::bad_alloc&) {
      return keep(MGNN_MEMORY, "not enough memory");
    } catch (const std::length_error&) {
      return keep(MGNN_MEMORY, "not enough memory");
    } catch (const std::exception& error) {
      return keep(MGNN_FAILED, error.what());
    }
  } catch (...) {
    last_error.kind = MGNN_MEMORY;
    last_error.message.clear();
    return MGNN_MEMORY;
  }
}

void fail_struct(const char* name, int64_t size) {
  fail_usage("{}: its size is {}; set it to sizeof", name, size);
}

CallScope::CallScope(const mgnn_call* call) : CallScope(given(call, "mgnn_call"), 0) {}

CallScope::CallScope(const mgnn_call& call, int)
    : threads_(threads_of(call)),
      interrupts_(call.cancel ? &call.cancel->token : nullptr, poll_of(call)),
      progress_(sink_of(call)) {
  check_interrupted();
}

}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int32_t mgnn_abi_version(void) { return MGNN_ABI_VERSION; }

int mgnn_error(mgnn_error_info* info) {
  if (!info || info->size < int64_t(sizeof(int64_t))) return MGNN_USAGE;
  const mgnn_error_info known{.size = 0,
                              .kind = last_error.kind,
                              .line = last_error.line,
                              .message = last_error.message.c_str(),
                              .path = last_error.path.c_str(),
                              .hint = last_error.hint.c_str(),
                              .hint_value = last_error.hint_value.c_str()};
  give(known, info, "mgnn_error_info");
  return MGNN_OK;
}

int mgnn_buffer_data(const mgnn_buffer* buffer, const char** bytes, int64_t* size) {
  return guarded([&] {
    needed(bytes, "bytes") = needed(buffer, "buffer").bytes.c_str();
    needed(size, "size") = int64_t(buffer->bytes.size());
  });
}
void mgnn_buffer_free(mgnn_buffer* buffer) { delete buffer; }

int mgnn_matrix_data(mgnn_matrix* matrix, int64_t* rows, int64_t* cols, float** values) {
  return guarded([&] {
    Matrix& m = needed(matrix, "matrix").matrix;
    needed(rows, "rows") = m.rows;
    needed(cols, "cols") = m.cols;
    needed(values, "values") = m.data.data();
  });
}
void mgnn_matrix_free(mgnn_matrix* matrix) { delete matrix; }

int mgnn_cancel_new(mgnn_cancel** cancel) {
  return guarded([&] { needed(cancel, "cancel") = new mgnn_cancel; });
}
int mgnn_cancel_request(mgnn_cancel* cancel) {
  return guarded([&] { needed(cancel, "cancel").token.request(); });
}
int mgnn_cancel_clear(mgnn_cancel* cancel) {
  return guarded([&] { needed(cancel, "cancel").token.clear(); });
}
void mgnn_cancel_free(mgnn_cancel* cancel) { delete cancel; }

int mgnn_threads(int64_t* threads) {
  return guarded([&] {
    const ThreadScope scope(0);
    needed(threads, "threads") = num_threads();
  });
}
