// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers the records of a kernel, and gives it the buffer that they go to.
//
// What a print says does not change from record to record: its line, its texts, the types of its
// values. All that stays in the manifest, and a record carries a number. The numbers are those of
// the order in which the prints and checks are written; nothing of the output depends on them.
//
// The buffer is one more argument, the last one, with the attribute `tile.records`: no argument of
// a launch stands behind it, the runtime passes it. A kernel without prints and checks gets none,
// and so costs what it did.
//
// Before: everything that may drop or repeat an op is done. After: each record has its number and
// its buffer. Rejected: a global variable in place of the argument, which all launches of a module
// would share.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/IR/Builders.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_NUMBERRECORDS
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {
struct NumberRecords : compiler::impl::NumberRecordsBase<NumberRecords> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    SmallVector<RecordOp> records;
    kernel.walk([&](RecordOp record) { records.push_back(record); });
    if (records.empty())
      return;
    for (RecordOp record : records)
      if (record.getBuffer()) {
        record.emitOpError("has a buffer already: records are numbered once");
        return signalPassFailure();
      }
    OpBuilder builder(kernel.getContext());
    unsigned last = kernel.getNumArguments();
    if (failed(kernel.insertArgument(last, PtrType::get(builder.getI64Type()),
                                     builder.getDictionaryAttr(builder.getNamedAttr(
                                         TileDialect::recordsAttr, builder.getUnitAttr())),
                                     kernel.getLoc())))
      return signalPassFailure();
    for (auto [number, record] : llvm::enumerate(records)) {
      record.getBufferMutable().assign(kernel.getArgument(last));
      record.setNumber(static_cast<int32_t>(number));
    }
  }
};
} // namespace
