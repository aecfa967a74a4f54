#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/option_flags.h"
#include "cli/verb.h"
#include "mgnn/base/human.h"
#include "mgnn/serve/server.h"

namespace mgnn {
namespace {

struct ServeVerb {
  std::vector<std::string> runs;
  ServeOptions options;
  std::string token_file, admin_token_file, max_body = "1MiB";
  bool no_token = false, no_page = false, watch = false;
};

std::string token_of(const std::string& path) {
  if (is_readable_by_others(path))
    spdlog::warn("{}: others than its owner can read the token; use chmod 600", path);
  return read_token(path);
}

std::string url_of(const std::string& host, int port) {
  const bool brackets = host.find(':') != host.npos;
  return fmt::format("http://{}{}{}:{}/", brackets ? "[" : "", host, brackets ? "]" : "", port);
}

// The token stands behind #, which browsers keep to themselves.
void say_ready(const ServeVerb& verb, const Globals& globals, int port, const std::string& token,
               const ModelSet& models) {
  const std::string url = url_of(verb.options.host, port);
  const std::string page = token.empty() ? url : url + "#token=" + token;
  if (globals.json) {
    nlohmann::ordered_json json = {{"url", url}, {"token", token}, {"models", nullptr}};
    json["models"] = nlohmann::ordered_json::array();
    for (const ServedModelPointer& model : models.models) json["models"].push_back(model->name);
    return print(json.dump() + "\n");
  }
  for (const ServedModelPointer& model : models.models)
    print(fmt::format("{}: {} of {}, {} {}s, loaded in {}\n", model->name,
                      model->model.config->model, model->dataset.name,
                      human_count(model->num_items()), model->is_set ? "graph" : "node",
                      human_seconds(model->seconds_to_load)));
  print(fmt::format("{}{}\n", page,
                    token.empty() && !verb.no_token ? "  (with the token of --token-file)" : ""));
}

// The URL is what people wait for, also where standard output is a pipe.
void run(ServeVerb& verb, const Globals& globals) {
  ServeOptions& options = verb.options;
  if (verb.no_token && !verb.token_file.empty())
    fail_usage("--token-file and --no-token exclude each other; use one of them");
  const auto body = parse_bytes(verb.max_body);
  if (!body || *body == 0)
    fail_usage("--max-body is {}, which is not a size; use a number with K, M, as 1M",
               in_quotes(verb.max_body));
  options.max_body = *body;
  options.page = !verb.no_page;
  std::string new_token;  // to be printed
  if (!verb.token_file.empty())
    options.access.token = token_of(verb.token_file);
  else if (!verb.no_token && is_loopback(options.host))
    options.access.token = new_token = random_token();
  if (!verb.admin_token_file.empty()) options.access.admin_token = token_of(verb.admin_token_file);
  options.access.hosts.push_back(options.host);
  if (verb.watch)
    for (const std::string& name : verb.runs) options.watched.push_back(model_file_of(name));
  Server* running = nullptr;
  Server server(
      options, [&] { return load_models(verb.runs, globals.data_dir); },
      {.ready =
           [&](const ModelSet& models) {
             say_ready(verb, globals, running->port(), new_token, models);
           },
       .reloaded =
           [](const ModelSet& models) {
             spdlog::info("{} models read again", models.models.size());
           },
       .failed_to_reload =
           [](const std::string& why) { spdlog::error("the old models stay: {}", why); },
       .log_failed = [](const std::string& why) { spdlog::warn("{}; lines are lost", why); }});
  running = &server;
  server.run();
}

CLI::Validator seconds() { return CLI::Range(0.001, 86400.).description(""); }

void add_limits(CLI::App& command, ServeVerb& verb) {
  ServeOptions& options = verb.options;
  const auto count = [&](const char* flag, int64_t& at, const char* help, int64_t low,
                         int64_t high) {
    command.add_option(flag, at, help)
        ->type_name("N")
        ->transform(decimal())
        ->check(CLI::Range(low, high).description(""));
  };
  count("--workers", options.workers, "threads that answer; 0: one for each core", 0, 1024);
  count("--max-connections", options.max_connections, "connections at once", 4, 100'000);
  count("--queue", options.queue, "requests that may wait for a worker; more get 503", 1, 100'000);
  command.add_option("--max-body", verb.max_body, "size of a request's body at most")
      ->type_name("SIZE");
  command.add_option("--deadline", options.deadline, "seconds for one answer")
      ->type_name("SECONDS")
      ->check(seconds());
  command.add_option("--drain", options.drain, "seconds for the last answers before it ends")
      ->type_name("SECONDS")
      ->check(seconds());
}

}  // namespace

Action add_serve(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<ServeVerb>();
  ServeOptions& options = verb->options;
  command
      .add_option("RUN", verb->runs,
                  "folders of runs, or their model.safetensors; NAME=RUN gives another name")
      ->required();
  command.add_option("--host", options.host, "address to listen at")->type_name("ADDRESS");
  command.add_option("--port", options.port, "port to listen at; 0: one that is free")
      ->type_name("N")
      ->transform(decimal())
      ->check(CLI::Range(0, 65535).description(""));
  command
      .add_option("--token-file", verb->token_file,
                  "file with the token that requests must have (default: a new one is printed)")
      ->type_name("FILE");
  command.add_flag("--no-token", verb->no_token,
                   "answer everybody on this machine; for 127.0.0.1 and localhost alone");
  command
      .add_option("--admin-token-file", verb->admin_token_file,
                  "file with the token of POST /v1/reload (default: nobody may)")
      ->type_name("FILE");
  command
      .add_option("--allow-host", options.access.hosts,
                  "name that the server is known by, as behind a proxy (repeat for several)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_flag("--allow-new-nodes", options.allow_new_nodes,
                   "predict for nodes and graphs that a request brings along");
  command.add_flag("--watch", verb->watch,
                   "read the runs again when their model files have changed, as SIGHUP does");
  command.add_flag("--no-page", verb->no_page, "no page to explore with");
  command.add_option("--log", options.log, "append one JSON line for each request")
      ->type_name("FILE");
  add_limits(command, *verb);
  command.footer(
      "  mgnn serve runs/cora\n"
      "  mgnn serve runs/dag --token-file token.txt --host 0.0.0.0 --allow-host mgnn.example.org\n"
      "  mgnn serve proteins=runs/a drugs=runs/b --port 9000 --log access.jsonl");
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
