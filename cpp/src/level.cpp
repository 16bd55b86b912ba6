// Which instruction-set level serves: read from the processor once, or named by the caller.
#include <cmath>
#include <cstring>
#include <string>

#include "pantin/kernels/table.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace pantin {

// The build says which levels it holds: PANTIN_HAS_v4 and so on.
#define PANTIN_DECLARE(name) \
  namespace name {           \
  Kernels table();           \
  }
#if defined(PANTIN_HAS_generic)
PANTIN_DECLARE(generic)
#endif
#if defined(PANTIN_HAS_v2)
PANTIN_DECLARE(v2)
#endif
#if defined(PANTIN_HAS_v3)
PANTIN_DECLARE(v3)
#endif
#if defined(PANTIN_HAS_v4)
PANTIN_DECLARE(v4)
#endif
#undef PANTIN_DECLARE

void sincos_library(double x, double* sine, double* cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}

namespace {

struct Level {
  const char* name;
  Kernels (*table)();
  bool (*present)();
};

#if defined(__x86_64__)

// Registers of one cpuid leaf; zeros where the leaf does not exist.
struct Leaf {
  unsigned a = 0, b = 0, c = 0, d = 0;
  Leaf(unsigned leaf, unsigned sub) { __get_cpuid_count(leaf, sub, &a, &b, &c, &d); }
  static bool all(unsigned value, unsigned mask) { return (value & mask) == mask; }
};

// Register files that the operating system saves (XCR0).
bool system_saves(unsigned mask) {
  if (!(Leaf(1, 0).c & bit_OSXSAVE)) return false;
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return Leaf::all(low, mask);
}

[[maybe_unused]] bool has_v2() {
  return Leaf::all(Leaf(1, 0).c, bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT);
}
[[maybe_unused]] bool has_v3() {
  return has_v2() && system_saves(0x6) && Leaf::all(Leaf(1, 0).c, bit_AVX | bit_FMA | bit_F16C | bit_MOVBE) &&
         Leaf::all(Leaf(7, 0).b, bit_AVX2 | bit_BMI | bit_BMI2) && Leaf::all(Leaf(0x80000001, 0).c, bit_LZCNT);
}
[[maybe_unused]] bool has_v4() {
  return has_v3() && system_saves(0xe6) &&
         Leaf::all(Leaf(7, 0).b, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL);
}

#endif

[[maybe_unused]] bool always() { return true; }

const Level kLevels[] = {
#if defined(PANTIN_HAS_v4)
    {"v4", v4::table, has_v4},
#endif
#if defined(PANTIN_HAS_v3)
    {"v3", v3::table, has_v3},
#endif
#if defined(PANTIN_HAS_v2)
    {"v2", v2::table, has_v2},
#endif
#if defined(PANTIN_HAS_generic)
    {"generic", generic::table, always},
#endif
};

Kernels chosen;

}  // namespace

const Kernels& kernels() { return chosen; }

const char* choose_level(const char* name) {
  static std::string message;
  for (const Level& level : kLevels) {
    if (*name == '\0' ? !level.present() : std::strcmp(name, level.name) != 0) continue;
    if (!level.present()) {
      message = "PANTIN_LEVEL=" + std::string(name) + ": this processor does not have that instruction-set level";
      return message.c_str();
    }
    chosen = level.table();
    return nullptr;
  }
  message = "PANTIN_LEVEL=" + std::string(name) + ": unknown; use one of";
  for (const Level& level : kLevels) message += " " + std::string(level.name);
  return message.c_str();
}

}  // namespace pantin
