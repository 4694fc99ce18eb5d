// How many of very many cases a test looks at: some in CI, more or all of them when asked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace tally::support {

// Numbers below `all`, in order and none twice: `usual` of them, or as many as the environment
// variable says (a number, or `all`). Which ones is drawn from the seed.
inline std::vector<std::size_t> Sample(const char* variable, std::size_t usual, std::size_t all,
                                       unsigned seed) {
  const char* text = std::getenv(variable);
  std::size_t wanted = usual;
  if (text != nullptr) wanted = std::string(text) == "all" ? all : std::strtoul(text, nullptr, 10);
  std::vector<std::size_t> numbers(all);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::mt19937 random(seed);
  std::shuffle(numbers.begin(), numbers.end(), random);
  numbers.resize(std::min(wanted, all));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace tally::support
