#include "mgnn/tensor/tape.h"

#include "mgnn/tensor/random.h"
#include "mgnn/tensor/row_share.h"

namespace mgnn {

template <class T>
T* Var<T>::grad_to_add() const {
  const Destination<T> to = grad_to_write();
  if (!to.add && !MetaScope::active()) std::fill_n(to.at, size(), T(0));
  return to.at;
}

template <class T>
Destination<T> Var<T>::grad_to_write() const {
  if (gradient->at) return {gradient->at, true};
  gradient->at = tape->arena().template array<T>(size());
  return {gradient->at, false};
}

template <class T>
void Tape<T>::start(uint64_t step, Mode mode) {
  arena_.reset();
  last_ = nullptr;
  step_ = step;
  random_operations_ = 0;
  training_ = recording_ = mode == Mode::training;
}

template <class T>
const RowShare* Tape<T>::share_of(int64_t rows) const {
  return share_ && rows == share_->rows ? share_ : nullptr;
}

template <class T>
Var<T> Tape<T>::constant(int64_t rows, int64_t cols, const T* outside) {
  // No operation writes to it.
  return {this, rows, cols, const_cast<T*>(outside), nullptr, share_of(rows)};
}

template <class T>
Var<T> Tape<T>::leaf(const MatrixOf<T>& outside) {
  const Var<T> var = make(outside.rows, outside.cols, /*learns=*/true);
  std::copy(outside.data.begin(), outside.data.end(), var.value);
  return var;
}

template <class T>
Var<T> Tape<T>::input(int64_t rows, int64_t cols, const T* outside, T* gradient) {
  Var<T> var = constant(rows, cols, outside);
  if (recording_ && gradient)
    var.gradient = ::new (arena_.take(sizeof(Gradient<T>))) Gradient<T>{gradient};
  return var;
}

template <class T>
Var<T> Tape<T>::parameter(ParametersOf<T>& parameters, const Parameter& p) {
  if (share_of(p.rows) || share_of(p.cols))
    fail(
        "rank {} has {} nodes, and a weight has as many rows or columns; use another number of "
        "ranks",
        share_->comm->rank(), share_->rows);
  Var<T> var = constant(p.rows, p.cols, parameters.value_of(p));
  if (recording_ && p.learns)
    var.gradient = ::new (arena_.take(sizeof(Gradient<T>))) Gradient<T>{parameters.grad_of(p)};
  return var;
}

template <class T>
Var<T> Tape<T>::make(int64_t rows, int64_t cols, bool learns) {
  check(rows >= 0 && cols >= 0, "invalid shape ({}, {})", rows, cols);
  Var<T> var{this, rows, cols, arena_.array<T>(rows * cols), nullptr, share_of(rows)};
  if (learns && recording_) var.gradient = ::new (arena_.take(sizeof(Gradient<T>))) Gradient<T>{};
  return var;
}

template <class T>
void Tape<T>::backward(Var<T> loss) {
  check(loss.size() == 1, "backward: the loss is ({}, {}), not one number", loss.rows, loss.cols);
  check(loss.learns(), "backward: the loss depends on nothing that learns");
  loss.grad_to_add()[0] = 1;
  run_backwards();
}

template <class T>
void Tape<T>::backward(std::span<const Seed> seeds) {
  for (const Seed& seed : seeds) {
    if (!seed.of.learns() || !seed.gradient) continue;
    T* const to = seed.of.grad_to_add();
    for (int64_t i = 0; i < seed.of.size(); i++) to[i] += seed.gradient[i];
  }
  run_backwards();
}

template <class T>
void Tape<T>::run_backwards() {
  for (Note* note = last_; note; note = note->before)
    if (note->of->at) note->run(note);
}

template <class T>
RandomKey Tape<T>::next_random() {
  return random_key(seed_, step_, random_operations_++);
}

template struct Var<float>;
template struct Var<double>;
template class Tape<float>;
template class Tape<double>;

}  // namespace mgnn
