// What the hottest calls share: raw fast-call functions that read NumPy arrays through their C interface.
//
// A nanobind call costs 0.08 us an array, as much as a small kernel; these cost a tenth of that. A function
// takes (model, data, q, ...): the fast path reads objects of the right type and plain arrays, everything
// else goes through the checks of `pantin.arrays`, which convert it or raise.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "instance.hpp"
#include "model.hpp"
#include "numpy_api.hpp"

namespace pantin {

// Whether a keyword is this one, which is ASCII.
inline bool is_named(PyObject* keyword, const char* name) {
  const std::size_t length = std::strlen(name);
  return PyUnicode_IS_ASCII(keyword) && std::size_t(PyUnicode_GET_LENGTH(keyword)) == length &&
         std::memcmp(PyUnicode_1BYTE_DATA(keyword), name, length) == 0;
}

// The arguments of one call, positions first, then keywords by name. A call names each of its arguments once, with
// `find` or `need`, and is `done` before it computes.
class Arguments {
 public:
  Arguments(const char* function, PyObject* const* args, Py_ssize_t n, PyObject* keywords)
      : function_(function), args_(args), n_(n), keywords_(keywords) {}

  // Object at `position`, or under `name`, or null.
  [[gnu::always_inline]] PyObject* find(Py_ssize_t position, const char* name) {
    names_[position] = name;
    asked_ = std::max(asked_, position + 1);
    if (position < n_) {
      ++taken_;
      return args_[position];
    }
    return keywords_ ? find_keyword(name) : nullptr;
  }
  [[gnu::always_inline]] PyObject* need(Py_ssize_t position, const char* name) {
    PyObject* const object = find(position, name);
    if (!object) refuse_without(name);
    return object;
  }
  // The model, which is the first argument of every call; `need_model` comes before `model`.
  PyObject* model() const { return model_; }
  PyObject* need_model() { return model_ = need(0, "model"); }
  // Refuses what nobody asked for.
  void done() const {
    if (taken_ != n_ + (keywords_ ? PyTuple_GET_SIZE(keywords_) : 0)) refuse();
  }

 private:
  PyObject* find_keyword(const char* name) {
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(keywords_); ++k)
      if (is_named(PyTuple_GET_ITEM(keywords_, k), name)) {
        ++taken_;
        return args_[n_ + k];
      }
    return nullptr;
  }
  [[noreturn, gnu::cold]] void refuse_without(const char* name) const {
    throw nb::type_error((std::string(function_) + "() misses its argument '" + name + "'").c_str());
  }
  [[noreturn, gnu::cold]] void refuse() const {
    const std::string call = std::string(function_) + "() ";
    if (n_ > asked_)
      throw nb::type_error(
          (call + "takes at most " + std::to_string(asked_) + " arguments, got " + std::to_string(n_)).c_str());
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(keywords_); ++k) {
      PyObject* const keyword = PyTuple_GET_ITEM(keywords_, k);
      for (Py_ssize_t i = 0; i < n_; ++i)
        if (is_named(keyword, names_[i]))
          throw nb::type_error((call + "got its argument '" + names_[i] + "' twice").c_str());
      if (std::none_of(names_, names_ + asked_,
                       [&](const char* name) { return is_named(keyword, name); }))
        throw nb::type_error((call + "has no argument " + nb::repr(nb::handle(keyword)).c_str()).c_str());
    }
    throw nb::type_error((call + "got an argument twice").c_str());
  }

  const char* function_;
  PyObject* const* args_;
  Py_ssize_t n_;
  PyObject* keywords_;
  PyObject* model_ = nullptr;
  Py_ssize_t taken_ = 0, asked_ = 0;
  const char* names_[8];
};

// A function of `pantin.kinematics.doors`, where the unusual goes.
inline nb::object door(const char* name) { return nb::module_::import_("pantin.kinematics.doors").attr(name); }
// The same for one that raises.
template <class... Args>
[[noreturn]] void raise(const char* name, Args&&... args) {
  door(name)(std::forward<Args>(args)...);
  throw nb::type_error((std::string(name) + " did not raise").c_str());
}

// Model and data of a call, in agreement.
struct Bound {
  const CompiledTree& compiled;
  const Tree& tree;
  Data* data;
  explicit Bound(const CompiledTree& c, Data* d) : compiled(c), tree(c.view()), data(d) {}
};

inline const TreePointer& take_model(Arguments& arguments) {
  PyObject* const model = arguments.need_model();
  const ModelBase& base = instance<ModelBase>(model, "model");
  return base.tree ? base.tree : compiled(model);
}

// The data holds the tree, so that both outlive an argument whose conversion edits the model.
inline Bound take_model_and_data(Arguments& arguments) {
  const CompiledTree& tree = *take_model(arguments);
  Data& data = instance<Data>(arguments.need(1, "data"), "data");
  if (&data.tree() != &tree) raise("raise_stale_data");
  return Bound(tree, &data);
}

// A configuration: a finite vector whose quaternions and (cos, sin) pairs have unit norm.
class ConfigurationArgument : public VectorArgument {
 public:
  ConfigurationArgument(const CompiledTree& tree, PyObject* object, const char* name)
      : VectorArgument(object, tree.view().nq, name) {
    const int entry = tree.first_not_unit(data());
    if (entry >= 0) raise("raise_not_unit", name, nb::handle(object), entry);
  }
};

// Index of a joint or frame, by number or by name.
inline int take_index(Arguments& arguments, Py_ssize_t position, const char* name, const char* lookup, int count) {
  PyObject* const object = arguments.need(position, name);
  if (PyLong_CheckExact(object)) {
    int overflow;
    const long index = PyLong_AsLongAndOverflow(object, &overflow);
    if (index >= 0 && index < count) return int(index);
  }
  const int index = nb::cast<int>(door(lookup)(nb::handle(arguments.model()), nb::handle(object)));
  if (index >= count) raise("raise_stale_data");  // the look-up edited the model
  return index;
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
  if (PyLong_Check(object) && !PyBool_Check(object)) {
    int overflow;
    const long value = PyLong_AsLongAndOverflow(object, &overflow);
    if (value >= 0 && value <= 2) return static_cast<ReferenceFrame>(value);
  }
  return static_cast<ReferenceFrame>(nb::cast<int>(door("reference_frame_index")(nb::handle(object))));
}

// The array given as `out`, checked, or a new one.
inline nb::object take_out(Arguments& arguments, Py_ssize_t position, npy_intp rows, npy_intp columns) {
  PyObject* const object = arguments.find(position, "out");
  if (!object || object == Py_None) return nb::steal(reinterpret_cast<PyObject*>(new_array({rows, columns})));
  auto* const array = reinterpret_cast<PyArrayObject*>(object);
  if (is_plain(object) && PyArray_ISWRITEABLE(array) && PyArray_NDIM(array) == 2 &&
      PyArray_DIM(array, 0) == rows && PyArray_DIM(array, 1) == columns)
    return nb::borrow(object);
  return nb::module_::import_("pantin.arrays")
      .attr("output")("out", nb::handle(object), nb::make_tuple(rows, columns));
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

// Defines the fast-call function `name`; the block that follows is its body, with its `arguments`.
#define PANTIN_HOT(name)                                                                          \
  PyObject* name##_body(Arguments& arguments);                                                    \
  PyObject* name(PyObject*, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {   \
    return guarded([&] {                                                                          \
      Arguments arguments(#name, args, n, keywords);                                              \
      return name##_body(arguments);                                                              \
    });                                                                                           \
  }                                                                                               \
  PyObject* name##_body(Arguments& arguments)

// The entry of `name` in a table of methods.
#define PANTIN_METHOD(name, signature, doc)                                                     \
  {#name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(name)), METH_FASTCALL | METH_KEYWORDS, \
   #name signature "\n--\n\n" doc}
