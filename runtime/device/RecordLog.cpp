// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints and checks between launch and user.
//
// Each launch of a kernel that has them gets a buffer of its own, so that its records need not say
// which launch they are of and launches in several streams do not meet. Buffers go round: one is
// emptied in the launch's stream, written by the kernel, followed by an event, and read after the
// event has passed. A loop that launches without ever waiting would take all memory, so from 16
// buffers on a launch waits for the oldest one.
//
// Who waits, reads: endWait is what every waiting call of the runtime ends with. It looks at an
// atomic pointer, and that is all it costs where no kernel prints. Only launches whose event has
// passed are read, in the order of the launches; a copy by the driver's synchronous call reads
// them, which waits for the default stream as well.
//
// Checks that failed are thrown once, as one error, after what was printed. If the wait itself
// failed, because of a fault in a kernel, that is thrown, and what there is to print is printed
// before: on the software device these lines are what leads to the fault. (A GPU's context is lost
// with all its memory.)
//
// Lines are given to the user outside of the lock, since the function that takes them may wait.

#include "runtime/device/RecordLog.h"

#include "runtime/driver/DriverError.h"

#include <cstdio>
#include <utility>

namespace trowel::detail {

using namespace trowel::driver;

namespace {
constexpr std::size_t mostUnderWay = 16;
} // namespace

RecordLog &recordLogOf(DeviceState &device) {
  static std::mutex making;
  std::lock_guard lock(making);
  if (!device.records.load(std::memory_order_relaxed))
    device.records.store(new RecordLog(device), std::memory_order_release);
  return *device.records.load(std::memory_order_relaxed);
}

void RecordLog::require(CUresult result, const char *attempt) {
  if (result != cudaSuccess)
    throw deviceError(device, result, attempt);
}

RecordLog::Slot RecordLog::take(CUstream stream) {
  if (free.empty() && underWay.size() >= mostUnderWay) {
    Slot oldest = std::move(underWay.front());
    underWay.pop_front();
    require(device.api->eventSynchronize(oldest.done), "wait for a launch that prints");
    collect(oldest);
    free.push_back(std::move(oldest));
  }
  if (free.empty()) {
    std::size_t bytes = records::bufferBytes();
    Slot slot;
    require(device.api->memAlloc(&slot.buffer, bytes),
            "allocate the buffer that a kernel prints to");
    require(device.api->eventCreate(&slot.done, 0), "create an event");
    records::Header header;
    header.room = bytes - sizeof header;
    require(device.api->memcpyHtoD(slot.buffer, &header, sizeof header),
            "prepare the buffer that a kernel prints to");
    free.push_back(std::move(slot));
  }
  Slot slot = std::move(free.back());
  free.pop_back();
  // Not the room behind them.
  if (CUresult result = device.api->memsetD8Async(slot.buffer, 0, records::roomOffset, stream);
      result != cudaSuccess) {
    free.push_back(slot);
    require(result, "empty the buffer that a kernel prints to");
  }
  return slot;
}

void RecordLog::launched(Slot slot, CUstream stream) {
  CUresult result = device.api->eventRecord(slot.done, stream);
  underWay.push_back(std::move(slot));
  require(result, "mark the end of a launch that prints");
}

void RecordLog::collect(const Slot &slot) {
  records::Header header;
  require(device.api->memcpyDtoH(&header, slot.buffer, sizeof header),
          "read what a kernel printed");
  std::vector<std::byte> bytes(header.writtenBytes());
  if (!bytes.empty())
    require(device.api->memcpyDtoH(bytes.data(), slot.buffer + sizeof header, bytes.size()),
            "read what a kernel printed");
  records::Told told = records::read(*slot.manifest, header, bytes);
  std::move(told.prints.begin(), told.prints.end(), std::back_inserter(prints));
  if (told.failure)
    failures.push_back(std::move(*told.failure));
}

void RecordLog::collectEnded() {
  std::deque<Slot> still;
  while (!underWay.empty()) {
    Slot slot = std::move(underWay.front());
    underWay.pop_front();
    if (device.api->eventQuery(slot.done) != cudaSuccess) {
      still.push_back(std::move(slot));
      continue;
    }
    collect(slot);
    free.push_back(std::move(slot));
  }
  underWay = std::move(still);
}

void RecordLog::print() {
  std::vector<Printed> lines;
  std::shared_ptr<const PrintSink> to;
  {
    std::lock_guard lock(mutex);
    collectEnded();
    lines.swap(prints);
    to = sink;
  }
  for (const Printed &line : lines) {
    if (to) {
      to->call(to->object, line);
    } else {
      // A text may hold any byte, also 0.
      std::string whole = line.toString() + "\n";
      std::fwrite(whole.data(), 1, whole.size(), stdout);
    }
  }
  if (!to && !lines.empty())
    std::fflush(stdout);
}

std::optional<Error> RecordLog::takeFailure() {
  std::lock_guard lock(mutex);
  if (failures.empty())
    return std::nullopt;
  Error first = failures.front();
  if (failures.size() > 1)
    first = Error(first.file(), first.line(), first.kernel(),
                  first.text() + "; and checks of " + std::to_string(failures.size() - 1) +
                      " later launches");
  failures.clear();
  return first;
}

void RecordLog::setSink(PrintSink given) {
  std::shared_ptr<const PrintSink> held;
  if (given.object)
    held = std::shared_ptr<const PrintSink>(new PrintSink(given), [](const PrintSink *old) {
      old->destroy(old->object);
      delete old;
    });
  std::lock_guard lock(mutex);
  sink.swap(held);
}

void endWait(DeviceState &device, CUresult result, const char *attempt, std::size_t bytes) {
  RecordLog *log = device.records.load(std::memory_order_acquire);
  if (result != cudaSuccess) {
    std::string what = attempt;
    if (bytes != 0)
      what += " " + std::to_string(bytes) + " bytes";
    Error error = deviceError(device, result, what);
    if (log) {
      try {
        log->print();
      } catch (const Error &) { // what the device says of its own loss
      }
    }
    throw error;
  }
  if (!log)
    return;
  log->print();
  if (std::optional<Error> failure = log->takeFailure())
    throw Error(*failure);
}

} // namespace trowel::detail
