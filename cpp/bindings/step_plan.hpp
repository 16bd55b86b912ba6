// Tasks and limits of Python compiled for a tree: what a step reads, with their live numbers.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "configuration.hpp"
#include "hot.hpp"
#include "pantin/kernels/step.hpp"
#include "solving.hpp"
#include "task.hpp"
#include "threads.hpp"

namespace pantin {

// Some tasks or limits, which a tuple holds.
struct Several {
  explicit Several(nb::handle tuple) : tuple(tuple.ptr()) {}
  PyObject* tuple;
  int size() const { return int(PyTuple_GET_SIZE(tuple)); }
  PyObject* operator[](int i) const { return PyTuple_GET_ITEM(tuple, i); }
};

class StepPlan {
 public:
  // Resolves frames and entries. Raises where a task or limit does not fit the model. With `by_core` tasks are what the
  // core knows them as, even where their class has an answer of its own.
  StepPlan(nb::handle model, TreePointer tree, Several tasks, Several limits, bool by_core = false);
  StepPlan(const StepPlan&) = delete;

  // True while the tree, and the tasks and limits that were compiled, are what they were; the caller holds these.
  bool is_current(const TreePointer& tree) const;
  // Takes over the live numbers; costs only where they are `weighed`. Tasks that are `aimed` have targets elsewhere.
  void read(bool weighed, const std::vector<bool>& aimed = {});
  void read_task(int index, bool weighed, bool aimed = false);

  const Tree& tree() const { return tree_->view(); }
  StepView view(double damping) const {
    return {&tree(), int(tasks_.size()), int(limits_.size()), tasks_.data(), limits_.data(), damping};
  }
  const TaskView& task(int index) const { return tasks_[index]; }
  const std::vector<TaskView>& tasks() const { return tasks_; }
  const std::vector<LimitView>& limits() const { return limits_; }
  // Which of the tasks and limits Python answers for.
  const std::vector<int>& python_tasks() const { return python_tasks_; }
  const std::vector<int>& python_limits() const { return python_limits_; }
  const std::vector<int>& levels() const { return levels_; }  // of the tasks, each once, in order
  int most_rows() const { return most_rows_; }
  const TreePointer& tree_pointer() const { return tree_; }
  // Numbers of the target of a task, or -1 where it has none.
  int target_size(int index) const;
  StepMemory& memory();
  // Constraints that the last step with rows ended at.
  std::vector<signed char>& held_rows() { return held_rows_; }

  bool busy = false;  // a user's own task may step with the plan that asked it

 private:
  template <class Base>
  struct Known {
    PyObject* object;
    Base* base;
    std::uint64_t version;
  };
  struct LimitEntries {
    std::vector<int> v, q, runs;
    std::vector<double> counts;
    void count_runs();
  };
  TaskFrame frame_of(nb::handle model, nb::handle name);
  void add_task(nb::handle model, nb::handle object);
  void add_limit(nb::handle object);

  TreePointer tree_;
  bool by_core_;
  std::vector<Known<TaskBase>> known_tasks_;
  std::vector<Known<LimitBase>> known_limits_;
  std::vector<TaskView> tasks_;
  std::vector<LimitView> limits_;
  std::vector<std::unique_ptr<const JointPath>> paths_;
  std::vector<std::unique_ptr<LimitEntries>> entries_;
  std::vector<int> python_tasks_, python_limits_, levels_, q_of_v_;
  int root_nv_, most_rows_ = 6;
  std::unique_ptr<void, Free> room_;
  StepMemory* memory_ = nullptr;
  std::vector<signed char> held_rows_;
};

}  // namespace pantin
