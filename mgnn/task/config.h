// From settings to a trained network: everything that decides what a training does, in one list of
// named settings, and the training itself.
#pragma once

#include <functional>

#include "mgnn/base/options.h"
#include "mgnn/data/dataset.h"
#include "mgnn/data/load.h"
#include "mgnn/models/model.h"
#include "mgnn/models/operators.h"
#include "mgnn/task/result.h"
#include "mgnn/tensor/optimiser.h"

namespace mgnn {

class Comm;  // comm/comm.h

// ---- what every training is told, whatever the task

// Which validation quantity selects the best epoch. Automatic: what the task says, else the metric.
enum class Select { automatic, metric, loss };
constexpr auto enum_names(Select) {
  return std::to_array<Named<Select>>(
      {{"auto", Select::automatic}, {"metric", Select::metric}, {"loss", Select::loss}});
}

struct TrainingOptions {
  int64_t epochs = 1000;   // maximum
  int64_t patience = 200;  // epochs without improvement before stopping; 0: never stop early
  int64_t eval_every = 1;  // epochs between evaluations on validation data
  Select select = Select::automatic;
  double learning_rate = 0.01;
  double weight_decay = 5e-4;
  bool adamw = false;  // decoupled weight decay
  bool amsgrad = false;
  // Decay of an exponential mean of the weights over epochs, which is what is validated and stored; 0: the
  // weights themselves.
  double average = 0;
  double clip = 0;  // maximum norm of the gradient; 0: not clipped
  ScheduleOptions schedule = {};
};
Options training_options(TrainingOptions& options);

struct RunOptions {
  uint64_t seed = 0;  // of the first repetition; the others follow
  int64_t seeds = 1;  // repetitions, each with its own weights and (where random) splits
  TrainingOptions training = {};
  int64_t batch_size = 128;               // maximum number of graphs in a step
  Direction direction = Direction::both;  // of messages; no difference in an undirected graph
  SplitOptions split = {};
  bool standardise = true;  // measured columns of the features to mean 0 and variance 1
  // Where links are learned from data without features: how they are made (data/features.h).
  std::string features = "own";
  Comm* comm = nullptr;  // ranks that share the nodes of a graph; null: this process alone
};

struct Repetition;   // task/result.h
struct EpochRecord;  // task/result.h

// Who wants to know how a training goes on. `run` is the number of the repetition, from 0; small
// trainings run one per thread, so that calls for different repetitions may come at the same time.
struct TrainingCallbacks {
  std::string label = "training";  // of the progress bar
  int64_t checkpoint_every = 0;    // epochs; 0: not by epochs
  double checkpoint_seconds = 0;   // of work that may be lost; 0: not by time
  std::function<void(size_t run, const Repetition&)> checkpoint = {};
  // Fills a repetition from an earlier checkpoint; the layout of its weights is there already.
  std::function<void(size_t run, Repetition&)> restore = {};
  std::function<void(size_t run, const EpochRecord&)> validated = {};
  // The same, and whether to train no more epochs.
  std::function<bool(size_t run, const EpochRecord&)> is_enough = {};
};

// ---- all settings of a training, and the training itself

class Task;        // task/task.h
struct TaskEntry;  // task/tasks.h

// Values in the order of precedence, lowest first: of a configuration file, of flags, of --set. A
// program that has only one source of settings puts them into `sets`.
struct ConfigLayers {
  Settings file, flags, sets;
  bool read_environment = false;  // MGNN_TRAIN_EPOCHS=100 and the like, above the file
};

// What resolve_config makes of settings. The fields point to each other: it stays where it was made.
// Not for several threads at once.
struct Config {
  Config();
  ~Config();

  std::string task_name = "auto";  // one of tasks(); auto: the one that suits the data
  std::string profile = "auto";    // settings recorded for this model and dataset
  std::string source;              // a dataset's name, a graph file or a folder; as load_dataset
  LoadOptions load = {};
  RunOptions run = {};
  std::string model = methods().front().name;
  std::shared_ptr<Model> network;            // with its options set, not built
  std::vector<std::unique_ptr<Task>> tasks;  // one for each of tasks(), with its options set
  ConfigLayers layers = {};                  // what was given
  std::vector<std::string> notes = {};       // what was given but is not used: one sentence each

  // The chosen one. REQUIRES: task_name is not auto.
  const TaskEntry& entry() const;
  const Task& task() const;

  // All settings: task, profile, seed, seeds, data.*, train.*, <task>.*, model.*.
  Options options();
  // Those without the settings of other tasks, once the task is known.
  Options used_options();
};

// Reads a TOML file. Throws Error (data) with file:line.
Settings read_config_file(const std::string& path);

// What the environment says of the options: of train.epochs MGNN_TRAIN_EPOCHS. `prefix` stands before the
// names there, but not in the settings.
Settings environment_settings(const Options& options, std::string_view prefix = "");

// Defaults, then the profile of (model, dataset), then the layers. Throws Error (usage) that names
// the setting.
std::unique_ptr<Config> resolve_config(ConfigLayers layers);

// Settles the task: config.task_name, or the one that suits the data best, with its profile. Throws
// Error (usage) if no task suits the data, the network has no output for it, or a setting of
// another task was given by a flag.
void choose_task(Config& config, const Dataset& dataset);

// The used options.
std::string toml_of(Config& config);
// The same with absolute paths of data, so that a run finds them from any folder.
std::string stored_toml(Config& config);

// Another network with the same options.
std::unique_ptr<Model> new_network(const Config& config);

// The dataset of config.source with its features made ready; settles the task. Throws Error as
// load_dataset and choose_task.
Dataset load_for_training(Config& config);
// The same of a dataset that is there already.
Dataset prepared_for_training(Config& config, Dataset dataset);
// The same; the dataset itself where nothing has to be made of it.
std::shared_ptr<const Dataset> prepared_for_training(Config& config,
                                                     std::shared_ptr<const Dataset> dataset);

// Trains config.run.seeds times (in cross-validation once per fold), whatever the task, and evaluates
// the selected epoch of each on test data. Settles the task, as choose_task. The same seed gives the
// same result for any number of threads. Throws Error if nothing can be learned from the data, (failed)
// if the loss becomes NaN or infinite, and (interrupted) on Ctrl-C.
Result run_task(Config& config, const Dataset& dataset, const TrainingCallbacks& callbacks = {});

}  // namespace mgnn
