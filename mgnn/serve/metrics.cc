#include "mgnn/serve/metrics.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

// Label values may hold anything but quotes, backslashes and line ends.
std::string label(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

void describe(std::string& text, const char* name, const char* type, const char* help) {
  text += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

void gauge(std::string& text, const char* name, const char* help, double value,
           const char* type = "gauge") {
  describe(text, name, type, help);
  text += fmt::format("{} {}\n", name, value);
}

int64_t open_files() {
  DIR* const folder = opendir("/proc/self/fd");
  if (!folder) return 0;
  int64_t count = -3;  // ., .. and the folder itself
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

// Field `place` of /proc/self/stat, counted from 1 behind the name of the program.
double process_stat(int place) {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(')');
  if (name_end == line.npos) return 0;
  size_t at = name_end + 2;
  for (int i = 3; i < place && at != line.npos; i++) {
    at = line.find(' ', at);
    if (at != line.npos) at++;
  }
  return at == line.npos ? 0 : std::atof(line.c_str() + at);
}

double system_start() {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("btime ")) return std::atof(line.c_str() + 6);
  return 0;
}

double user_and_system_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

void add_process(std::string& text) {
  const auto ticks = double(sysconf(_SC_CLK_TCK)), page = double(sysconf(_SC_PAGESIZE));
  gauge(text, "process_cpu_seconds_total", "User and system time spent.", user_and_system_seconds(),
        "counter");
  gauge(text, "process_resident_memory_bytes", "Resident memory.", process_stat(24) * page);
  gauge(text, "process_virtual_memory_bytes", "Virtual memory.", process_stat(23));
  static const double start = system_start() + process_stat(22) / ticks;
  gauge(text, "process_start_time_seconds", "Start of the process, since 1970.", start);
  gauge(text, "process_open_fds", "Open file descriptors.", double(open_files()));
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  gauge(text, "process_max_fds", "Maximum number of open file descriptors.",
        double(limit.rlim_cur));
}

void add_models(std::string& text, const ModelSet& models) {
  describe(text, "mgnn_model_info", "gauge", "A model that is served.");
  for (const ServedModelPointer& model : models.models)
    text += fmt::format(
        "mgnn_model_info{{model=\"{}\",task=\"{}\",data=\"{}\",sha256=\"{}\",version=\"{}\"}} 1\n",
        label(model->name), label(model->model.config->task_name), label(model->dataset.name),
        label(model->version), label(model->model.facts.at("mgnn.version")));
  gauge(text, "mgnn_model_loaded_timestamp_seconds", "When the models were loaded, since 1970.",
        double(models.loaded_at));
}

}  // namespace

void Metrics::answered(const std::string& route, int code, double seconds, int64_t items) {
  requests_[{route, code}]++;
  Seconds& histogram = seconds_[route];
  const auto bucket = std::lower_bound(kSecondsBuckets.begin(), kSecondsBuckets.end(), seconds);
  histogram.count[size_t(bucket - kSecondsBuckets.begin())]++;
  histogram.sum += seconds;
  if (items > 0) items_[route] += items;
}

std::string Metrics::text(const ModelSet* models) const {
  std::string text;
  describe(text, "mgnn_requests_total", "counter", "Requests answered.");
  for (const auto& [key, count] : requests_)
    text += fmt::format("mgnn_requests_total{{route=\"{}\",code=\"{}\"}} {}\n", key.first,
                        key.second, count);
  describe(text, "mgnn_request_seconds", "histogram", "From a whole request to its answer.");
  for (const auto& [route, histogram] : seconds_) {
    int64_t sum = 0;
    for (size_t i = 0; i < kSecondsBuckets.size(); i++) {
      sum += histogram.count[i];
      text += fmt::format("mgnn_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                          kSecondsBuckets[i], sum);
    }
    sum += histogram.count.back();
    text += fmt::format(
        "mgnn_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
        "mgnn_request_seconds_sum{{route=\"{0}\"}} {2}\n"
        "mgnn_request_seconds_count{{route=\"{0}\"}} {1}\n",
        route, sum, histogram.sum);
  }
  describe(text, "mgnn_items_total", "counter", "Nodes, graphs and pairs answered about.");
  for (const auto& [route, count] : items_)
    text += fmt::format("mgnn_items_total{{route=\"{}\"}} {}\n", route, count);
  describe(text, "mgnn_rejected_total", "counter", "Requests and connections that were cut off.");
  for (const auto& [reason, count] : rejected_)
    text += fmt::format("mgnn_rejected_total{{reason=\"{}\"}} {}\n", reason, count);
  gauge(text, "mgnn_in_flight", "Requests being answered.", double(in_flight));
  gauge(text, "mgnn_queue_depth", "Requests that wait for a worker.", double(queue_depth));
  gauge(text, "mgnn_connections", "Open connections.", double(connections));
  describe(text, "mgnn_reloads_total", "counter", "Times that the models were read again.");
  text += fmt::format(
      "mgnn_reloads_total{{result=\"succeeded\"}} {}\nmgnn_reloads_total{{result=\"failed\"}} {}\n",
      reloads_, failed_reloads_);
  if (models) add_models(text, *models);
  add_process(text);
  return text;
}

}  // namespace mgnn
