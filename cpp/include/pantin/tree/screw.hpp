// Screws of joints about their own origins: a turn, a slide, or both as a twist.
#pragma once

#include "pantin/lie/se3.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
struct TurnScrew {
  Vec3<T> w;
};
template <class T>
struct SlideScrew {
  Vec3<T> v;
};

// The twist of the body point that the origin is at `arm` from.
template <class T>
PANTIN_INLINE Motion<T> twist_at(const Vec3<T>& arm, const TurnScrew<T>& s) {
  return {cross(arm, s.w), s.w};
}
template <class T>
PANTIN_INLINE Motion<T> twist_at(const Vec3<T>&, const SlideScrew<T>& s) {
  return {s.v, zero3<T>()};
}
template <class T>
PANTIN_INLINE Motion<T> twist_at(const Vec3<T>& arm, const Motion<T>& s) {
  return {s.v + cross(arm, s.w), s.w};
}

// Power of a wrench about the origin.
template <class T>
PANTIN_INLINE T dot(const TurnScrew<T>& s, const Motion<T>& f) {
  return dot(s.w, f.w);
}
template <class T>
PANTIN_INLINE T dot(const SlideScrew<T>& s, const Motion<T>& f) {
  return dot(s.v, f.v);
}

// sum + rate s, linear and angular.
template <class T>
PANTIN_INLINE void add_motion(const T& rate, const TurnScrew<T>& s, Vec3<T>&, Vec3<T>& angular) {
  angular = angular + rate * s.w;
}
template <class T>
PANTIN_INLINE void add_motion(const T& rate, const SlideScrew<T>& s, Vec3<T>& linear, Vec3<T>&) {
  linear = linear + rate * s.v;
}
template <class T>
PANTIN_INLINE void add_motion(const T& rate, const Motion<T>& s, Vec3<T>& linear, Vec3<T>& angular) {
  linear = linear + rate * s.v;
  angular = angular + rate * s.w;
}

}  // namespace pantin::PANTIN_ISA
