// What the hottest calls share: raw fast-call functions that read NumPy arrays through their C interface.
//
// A nanobind call costs 0.08 us an array, as much as a small kernel; these cost a tenth of that. A function
// takes (model, data, q, ...): the fast path reads objects of the right type and plain arrays, everything
// else goes through the checks of `pantin.arrays`, which convert it or raise.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <string>

#include "instance.hpp"
#include "model.hpp"
#include "numpy_api.hpp"

namespace pantin {

// The arguments of one call, positions first, then keywords by name.
class Arguments {
 public:
  Arguments(const char* function, PyObject* const* args, Py_ssize_t n, PyObject* keywords)
      : function_(function), args_(args), n_(n), keywords_(keywords) {}

  // Object at `position`, or under `name`, or null.
  PyObject* find(Py_ssize_t position, const char* name) {
    if (position < n_) {
      ++taken_;
      return args_[position];
    }
    if (!keywords_) return nullptr;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(keywords_); ++k)
      if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords_, k), name) == 0) {
        ++taken_;
        return args_[n_ + k];
      }
    return nullptr;
  }
  PyObject* need(Py_ssize_t position, const char* name) {
    PyObject* const object = find(position, name);
    if (!object) throw nb::type_error((std::string(function_) + "() misses its argument '" + name + "'").c_str());
    return object;
  }
  // An argument already counted was looked at again.
  void taken_twice() { --taken_; }
  // Refuses what nobody asked for.
  void done() const {
    const Py_ssize_t given = n_ + (keywords_ ? PyTuple_GET_SIZE(keywords_) : 0);
    if (taken_ != given)
      throw nb::type_error((std::string(function_) + "() got an argument too many, or one it does not know").c_str());
  }

 private:
  const char* function_;
  PyObject* const* args_;
  Py_ssize_t n_;
  PyObject* keywords_;
  Py_ssize_t taken_ = 0;
};

// Model and data of a call, in agreement.
struct Bound {
  const CompiledTree& compiled;
  const Tree& tree;
  Data* data;
  explicit Bound(const CompiledTree& c, Data* d) : compiled(c), tree(c.view()), data(d) {}
};

inline const CompiledTree& take_model(Arguments& arguments) {
  PyObject* const model = arguments.need(0, "model");
  ModelBase& base = instance<ModelBase>(model, "model");
  return base.tree ? *base.tree : *compiled(model);
}

inline Bound take_model_and_data(Arguments& arguments) {
  const CompiledTree& tree = take_model(arguments);
  Data& data = instance<Data>(arguments.need(1, "data"), "data");
  if (&data.tree() != &tree) {
    nb::module_::import_("pantin.kinematics.doors").attr("raise_stale_data")();
    throw nb::python_error();
  }
  return Bound(tree, &data);
}

// A configuration: a finite vector whose quaternions and (cos, sin) pairs have unit norm.
class ConfigurationArgument : public VectorArgument {
 public:
  ConfigurationArgument(const CompiledTree& tree, PyObject* object, const char* name)
      : VectorArgument(object, tree.view().nq, name) {
    const int entry = tree.first_not_unit(data());
    if (entry >= 0) {
      nb::module_::import_("pantin.kinematics.doors").attr("raise_not_unit")(name, nb::handle(object), entry);
      throw nb::python_error();
    }
  }
};

// Index of a joint or frame, by number or by name.
inline int take_index(Arguments& arguments, Py_ssize_t position, const char* name, const char* lookup, int count) {
  PyObject* const object = arguments.need(position, name);
  if (PyLong_CheckExact(object)) {
    const long index = PyLong_AsLong(object);
    if (index >= 0 && index < count) return int(index);
  }
  PyObject* const model = arguments.need(0, "model");
  arguments.taken_twice();
  return nb::cast<int>(nb::module_::import_("pantin.kinematics.doors").attr(lookup)(nb::handle(model), nb::handle(object)));
}
inline int take_frame(Arguments& arguments, Py_ssize_t position, const Tree& tree) {
  return take_index(arguments, position, "frame_id", "frame_index", tree.nframes);
}
inline int take_joint(Arguments& arguments, Py_ssize_t position, const Tree& tree) {
  return take_index(arguments, position, "joint_id", "joint_index", tree.njoints);
}

inline ReferenceFrame take_reference_frame(Arguments& arguments, Py_ssize_t position) {
  PyObject* const object = arguments.find(position, "reference_frame");
  if (!object) return ReferenceFrame::kLocal;
  const long value = PyLong_Check(object) ? PyLong_AsLong(object) : -1;
  if (value < 0 || value > 2)
    throw nb::value_error("reference_frame: expected ReferenceFrame.WORLD, LOCAL or LOCAL_WORLD_ALIGNED");
  return static_cast<ReferenceFrame>(value);
}

// The array given as `out`, checked, or a new one.
inline PyArrayObject* take_out(Arguments& arguments, Py_ssize_t position, npy_intp rows, npy_intp columns) {
  PyObject* const object = arguments.find(position, "out");
  if (!object || object == Py_None) return new_array({rows, columns});
  auto* const array = reinterpret_cast<PyArrayObject*>(object);
  if (!is_plain(object) || !PyArray_ISWRITEABLE(array) || PyArray_NDIM(array) != 2 ||
      PyArray_DIM(array, 0) != rows || PyArray_DIM(array, 1) != columns) {
    nb::module_::import_("pantin.arrays").attr("output")("out", nb::handle(object), nb::make_tuple(rows, columns));
    throw nb::python_error();
  }
  Py_INCREF(object);
  return array;
}

// Runs a call's body; C++ exceptions become Python's.
template <class Body>
PyObject* guarded(Body&& body) noexcept {
  try {
    return body();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (nb::builtin_exception& error) {
    PyErr_SetString(error.type() == nb::exception_type::type_error ? PyExc_TypeError : PyExc_ValueError, error.what());
  } catch (std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

inline PyObject* none() { Py_RETURN_NONE; }
inline PyObject* release(PyArrayObject* array) { return reinterpret_cast<PyObject*>(array); }

}  // namespace pantin
