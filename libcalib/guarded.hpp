#pragma once
// The last guard of a thread: an exception that nobody foresaw (no memory, a library's, a mistake
// of ours) must not end the process that holds a rig and somebody's recording. What is foreseen
// travels as Result and never gets here.

#include <exception>
#include <type_traits>

#include "libcalib/result.hpp"

namespace tactelier {

/// What `call` returns, a Result; kDeviceFault, naming `where`, for an exception.
template <class Call>
std::invoke_result_t<Call> guarded(std::string_view where, Call&& call) {
  constexpr std::string_view kText = "{}: something unforeseen: {}; please report it";
  try {
    return call();
  } catch (const std::exception& error) {
    return fail(ErrorCode::kDeviceFault, kText, where, error.what());
  } catch (...) {
    return fail(ErrorCode::kDeviceFault, kText, where, "an exception without a name");
  }
}

}  // namespace tactelier
