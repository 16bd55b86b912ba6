// What Python's Configuration is underneath: a model, a data and a q that agree.
#pragma once

#include <nanobind/nanobind.h>

#include "model.hpp"
#include "numpy_api.hpp"

namespace pantin {

class ConfigurationBase {
 public:
  // `q` is a checked configuration; it is copied. A data that is `shared` with others is never out of date.
  ConfigurationBase(nb::object model, nb::object data, nb::handle q, bool fresh, bool shared);

  nb::object model, data;
  nb::object q;  // array (nq,) that nobody writes to
  bool shared;

  // The tree of model and data, which must agree.
  const CompiledTree& tree() const;
  const TreePointer& model_tree() const { return base_ && base_->tree ? base_->tree : compiled(model); }
  Data& buffers() const { return *buffers_; }
  // Those of q, until Python is asked: even arrays that nobody writes to may be resized.
  const double* numbers() const;

  // Joint placements and screws, and all frames, of q.
  void place_joints();
  void place_frames();
  // Lets go of the model, for the collector.
  void clear() {
    model = nb::none();
    base_ = nullptr;
  }
  // The data was used for something else.
  void displace() { placed_ = Placed::kNothing; }
  // Takes a new array as q.
  void move(PyArrayObject* to);
  // First entry behind the root joint that is outside its limits by more than `tolerance`, or -1.
  int first_outside(double tolerance);

 private:
  // The model's live limits and the size of its root joint, for the tree they were looked up for.
  struct Ends {
    TreePointer tree;
    nb::object lower, upper;
    int first = 0;
  } ends_;
  const ModelBase* base_;  // the C++ parts of model and data
  Data* buffers_;
  enum class Placed { kNothing, kJoints, kFrames } placed_;
};

}  // namespace pantin
