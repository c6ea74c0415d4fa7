// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events over the driver's.
//
// A stream is made with the driver's default flags, so it and the default stream wait for each
// other. A non-blocking stream would overlap a little more, but then an upload (in the default
// stream) need not have arrived when a kernel in the stream starts, which is a race that nobody
// sees in their code. Who wants that makes such a stream and wraps it.
//
// An event is made with timing on. Marks that only order streams could go without, which saves the
// device a timestamp, and the user would have to say which kind an event is.
//
// An event that was never recorded counts as passed, for those who wait for it. So a ring of
// buffers with an event each, "this one is free again", needs no special first round. Time between
// events that were not recorded means nothing, and is refused.

#include "trowel/Stream.h"

#include "runtime/device/RecordLog.h"

#include <utility>

namespace trowel {

using namespace trowel::driver;
using detail::CurrentContext;
using detail::DeviceState;

Stream::Stream(const Device &device, std::source_location at) : owner(device), kind(Kind::Owned) {
  detail::CallSite here(at);
  DeviceState &state = device.state();
  CurrentContext current(state);
  CUstream stream = nullptr;
  if (CUresult result = state.api->streamCreate(&stream, 0); result != cudaSuccess)
    throw detail::deviceError(state, result, "create a stream");
  handle = stream;
}

Stream Stream::defaultOf(const Device &device) { return Stream(device, nullptr, Kind::NotOwned); }
Stream Stream::wrap(const Device &device, void *nativeStream) {
  return Stream(device, nativeStream, Kind::NotOwned);
}

Stream::Stream(Stream &&other) noexcept
    : owner(other.owner), handle(std::exchange(other.handle, nullptr)),
      kind(std::exchange(other.kind, Kind::MovedFrom)) {}

Stream &Stream::operator=(Stream &&other) noexcept {
  if (this != &other) {
    release();
    owner = other.owner;
    handle = std::exchange(other.handle, nullptr);
    kind = std::exchange(other.kind, Kind::MovedFrom);
  }
  return *this;
}

Stream::~Stream() { release(); }

void Stream::release() noexcept {
  if (kind != Kind::Owned)
    return;
  try {
    CurrentContext current(owner.state());
    owner.state().api->streamDestroy(static_cast<CUstream>(handle));
  } catch (const Error &) {
  }
}

void *Stream::native(std::source_location at) const {
  if (kind == Kind::MovedFrom) {
    detail::CallSite here(at);
    throw Error(
        "the stream was moved from, so there is no stream in it; use the object that it was "
        "moved to, or assign another to it");
  }
  return handle;
}

void Stream::synchronize(std::source_location at) const {
  detail::CallSite here(at);
  DeviceState &state = owner.state();
  CurrentContext current(state);
  detail::endWait(state, state.api->streamSynchronize(static_cast<CUstream>(native())),
                  "wait for a stream");
}

void Stream::wait(const Event &event, std::source_location at) const {
  detail::CallSite here(at);
  DeviceState &state = owner.state();
  if (event.device().state().api != state.api)
    throw Error("the stream is of " + state.description + ", the event of " +
                event.device().describe() +
                "; neither knows of the other's work: let the host wait, with event.synchronize()");
  CurrentContext current(state);
  if (CUresult result = state.api->streamWaitEvent(static_cast<CUstream>(native()),
                                                   static_cast<CUevent>(event.native()), 0);
      result != cudaSuccess)
    throw detail::deviceError(state, result, "let a stream wait for an event");
}

Event::Event(const Device &device, std::source_location at) : owner(device) {
  detail::CallSite here(at);
  DeviceState &state = device.state();
  CurrentContext current(state);
  CUevent event = nullptr;
  if (CUresult result = state.api->eventCreate(&event, 0); result != cudaSuccess)
    throw detail::deviceError(state, result, "create an event");
  handle = event;
}

Event::Event(Event &&other) noexcept
    : owner(other.owner), handle(std::exchange(other.handle, nullptr)),
      recorded(std::exchange(other.recorded, false)) {}

Event &Event::operator=(Event &&other) noexcept {
  if (this != &other) {
    release();
    owner = other.owner;
    handle = std::exchange(other.handle, nullptr);
    recorded = std::exchange(other.recorded, false);
  }
  return *this;
}

Event::~Event() { release(); }

void Event::release() noexcept {
  if (!handle)
    return;
  try {
    CurrentContext current(owner.state());
    owner.state().api->eventDestroy(static_cast<CUevent>(handle));
  } catch (const Error &) {
  }
  handle = nullptr;
}

void *Event::native(std::source_location at) const {
  if (!handle) {
    detail::CallSite here(at);
    throw Error("the event was moved from, so there is no event in it; use the object that it was "
                "moved to, or assign another to it");
  }
  return handle;
}

void Event::record(const Stream &stream, std::source_location at) {
  detail::CallSite here(at);
  DeviceState &state = owner.state();
  if (&stream.device().state() != &state)
    throw Error("the event is of " + state.description + ", the stream of " +
                stream.device().describe() + "; make the event on the stream's device");
  CurrentContext current(state);
  if (CUresult result = state.api->eventRecord(static_cast<CUevent>(native()),
                                               static_cast<CUstream>(stream.native()));
      result != cudaSuccess)
    throw detail::deviceError(state, result, "record an event");
  recorded = true;
}

void Event::synchronize(std::source_location at) const {
  detail::CallSite here(at);
  DeviceState &state = owner.state();
  CurrentContext current(state);
  detail::endWait(state, state.api->eventSynchronize(static_cast<CUevent>(native())),
                  "wait for an event");
}

bool Event::isDone(std::source_location at) const {
  detail::CallSite here(at);
  DeviceState &state = owner.state();
  CurrentContext current(state);
  CUresult result = state.api->eventQuery(static_cast<CUevent>(native()));
  if (result == cudaErrorNotReady)
    return false;
  detail::endWait(state, result, "ask whether an event has passed");
  return true;
}

double Event::microseconds(const Event &begin, const Event &end, std::source_location at) {
  detail::CallSite here(at);
  begin.native();
  end.native();
  DeviceState &state = begin.owner.state();
  if (&end.owner.state() != &state)
    throw Error("the events are of " + begin.owner.describe() + " and of " + end.owner.describe() +
                "; time can be measured on one device only");
  if (!begin.recorded || !end.recorded)
    throw Error(std::string("the ") + (begin.recorded ? "end" : "begin") +
                " event was never recorded; call record(stream) before and after the work");
  begin.synchronize();
  end.synchronize();
  CurrentContext current(state);
  float milliseconds = 0;
  if (CUresult result = state.api->eventElapsedTime(
          &milliseconds, static_cast<CUevent>(begin.handle), static_cast<CUevent>(end.handle));
      result != cudaSuccess)
    throw detail::deviceError(state, result, "measure the time between two events");
  return milliseconds * 1000.0;
}

} // namespace trowel
