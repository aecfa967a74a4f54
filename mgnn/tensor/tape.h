// Reverse-mode differentiation. An operation computes its value at once and records its backward
// function; `backward` runs these in reverse.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "mgnn/base/error.h"
#include "mgnn/tensor/matrix.h"
#include "mgnn/tensor/meta.h"
#include "mgnn/tensor/parameters.h"

namespace mgnn {

// ---- memory for one training step: taken piece by piece, given back all at once

// After a first step has shown how much is needed, later steps of at most that size allocate
// nothing. Not safe for several threads at once.
class Arena {
 public:
  static constexpr size_t kAlignment = 64;

  // `count` uninitialised elements, aligned to a cache line; never null. They live until reset().
  template <class T>
  T* array(int64_t count) {
    return static_cast<T*>(take(size_t(count) * sizeof(T)));
  }
  void* take(size_t bytes);

  // Gives everything back. Several blocks become one of their whole size.
  void reset();
  // Memory for that much at once. REQUIRES: nothing was taken yet.
  void reserve(int64_t bytes);

  int64_t used() const { return used_; }  // bytes taken since the last reset
  size_t capacity() const;                // bytes held

 private:
  struct Free {
    size_t mapped = 0;  // bytes, of addresses without memory
    void operator()(std::byte* block) const;
  };
  struct Block {
    std::unique_ptr<std::byte[], Free> data;
    size_t size;
  };
  void add_block(size_t bytes);

  std::vector<Block> blocks_;
  size_t used_of_last_ = 0;  // of the last block
  int64_t used_ = 0;
};

// ---- matrices on a tape

template <class T>
class Tape;
struct RandomKey;  // tensor/random.h
struct RowShare;   // tensor/row_share.h

// The gradient of a value; null until the backward pass has reached it.
template <class T>
struct Gradient {
  T* at = nullptr;
};

// Where a backward pass puts its part of a gradient: on top of what is there, or as the first.
template <class T>
struct Destination {
  T* at;
  bool add;
};

// A matrix on a tape: a light handle, valid until the tape is reset.
template <class T>
struct Var {
  Tape<T>* tape = nullptr;
  int64_t rows = 0, cols = 0;
  T* value = nullptr;               // (rows, cols), row by row
  Gradient<T>* gradient = nullptr;  // null: it depends on nothing that learns
  const RowShare* share = nullptr;  // null: all of its rows are here

  int64_t size() const { return rows * cols; }
  bool learns() const { return gradient != nullptr; }
  T& operator()(int64_t r, int64_t c) const { return value[r * cols + c]; }

  // Null where the backward pass has not come.
  const T* grad() const { return gradient ? gradient->at : nullptr; }
  // For a backward pass that adds element by element; zeros where it is the first. REQUIRES:
  // learns.
  T* grad_to_add() const;
  // For one that writes every element exactly once. REQUIRES: learns.
  Destination<T> grad_to_write() const;
};

// One tape serves many steps: `start`, operations, `backward`, optimiser, `start` ... After the
// first step nothing is allocated. One thread at a time.
template <class T>
class Tape {
 public:
  // The seed of everything random in the operations (dropout masks, noise).
  explicit Tape(uint64_t seed = 0) : seed_(seed) {}
  void set_seed(uint64_t seed) { seed_ = seed; }  // before a step starts
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Forgets the step before. Masks depend on (seed, step, number of the operation, element) only,
  // so a run can go on from any step. In evaluation nothing is dropped or recorded.
  void start_training(uint64_t step) { start(step, Mode::training); }
  void start_evaluation() { start(0, Mode::evaluation); }
  bool training() const { return training_; }
  // Gradients without dropout, or values with it, where someone needs them.
  void set_recording(bool recording) { recording_ = recording; }
  void set_training(bool training) { training_ = training; }

  // While set, matrices with as many rows as the share are divided; weights may not have as many.
  void set_share(const RowShare* share) { share_ = share; }

  // Numbers that do not learn; `outside` must live as long as the step.
  Var<T> constant(int64_t rows, int64_t cols, const T* outside);
  Var<T> constant(const MatrixOf<T>& outside) {
    return constant(outside.rows, outside.cols, outside.data.data());
  }
  Var<T> constant(MatrixOf<T>&& outside) = delete;  // would be gone before the step is
  // Numbers of another type, copied.
  template <class U>
  Var<T> converted(int64_t rows, int64_t cols, const U* outside) {
    const Var<T> var = make_constant(rows, cols);
    if (MetaScope::active()) return var;
    std::transform(outside, outside + rows * cols, var.value, [](U u) { return T(u); });
    return var;
  }
  // A leaf outside any Parameters whose gradient is wanted; its value is copied.
  Var<T> leaf(const MatrixOf<T>& outside);
  // The same without a copy: `outside` must live as long as the step, and the gradient is added to
  // `gradient`, which holds zeros or a sum so far; null: none is wanted.
  Var<T> input(int64_t rows, int64_t cols, const T* outside, T* gradient);
  // A weight; its gradient is added to `parameters.grad`.
  Var<T> parameter(ParametersOf<T>& parameters, const Parameter& parameter);

  // Runs everything recorded since `start` backwards. REQUIRES: loss is (1, 1) and learns.
  void backward(Var<T> loss);
  // The same from given gradients of some results, each of the shape of its result. Results that learn
  // nothing are passed over.
  struct Seed {
    Var<T> of;
    const T* gradient;
  };
  void backward(std::span<const Seed> seeds);

  // ---- for operations
  // An uninitialised result; it learns if `learns` and the tape records.
  Var<T> make(int64_t rows, int64_t cols, bool learns);
  Var<T> make_constant(int64_t rows, int64_t cols) { return make(rows, cols, /*learns=*/false); }
  // `backward()` is called if a gradient has reached `result`. It may capture only what needs no
  // destructor: handles, pointers, numbers.
  template <class Backward>
  void on_backward(Var<T> result, Backward backward);
  Arena& arena() { return arena_; }
  RandomKey next_random();  // of the next random operation of this step

 private:
  struct Note {
    Note* before;
    Gradient<T>* of;
    void (*run)(Note*);
  };
  const RowShare* share_of(int64_t rows) const;  // null: they are not divided
  enum class Mode { training, evaluation };
  void start(uint64_t step, Mode mode);
  void run_backwards();

  Arena arena_;
  Note* last_ = nullptr;
  const RowShare* share_ = nullptr;
  uint64_t seed_, step_ = 0, random_operations_ = 0;
  bool training_ = true, recording_ = true;
};

template <class T>
template <class Backward>
void Tape<T>::on_backward(Var<T> result, Backward backward) {
  static_assert(std::is_trivially_destructible_v<Backward>);
  static_assert(alignof(Backward) <= Arena::kAlignment);
  struct Full : Note {
    Backward backward;
  };
  if (!result.learns()) return;
  const auto run = [](Note* note) { static_cast<Full*>(note)->backward(); };
  last_ = ::new (arena_.take(sizeof(Full))) Full{{last_, result.gradient, run}, backward};
}

}  // namespace mgnn
