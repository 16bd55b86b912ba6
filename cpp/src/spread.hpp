// Numbers of low-discrepancy starts.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace pantin {

// Strides and shifts of n coordinates: powers of the root of x^(n + 1) = x + 1 (Roberts 2018), and random numbers by
// splitmix64 (Steele, Lea, Flood 2014).
inline void spread_starts(std::size_t n, std::uint64_t random_seed, std::vector<double>& stride,
                          std::vector<double>& shift) {
  double root = 2.0;
  for (int i = 0; i < 64; ++i) root = std::pow(1.0 + root, 1.0 / (double(n) + 1.0));
  double power = 1.0;
  for (std::size_t k = 0; k < n; ++k) {
    power /= root;
    stride.push_back(power);
    std::uint64_t z = random_seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    shift.push_back(double((z ^ (z >> 31)) >> 11) * 0x1p-53);
  }
}

}  // namespace pantin
