// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a kernel of a program, as a user's lambda would, and compares what it leaves.
//
// The types of a random program are known only when it runs, so it is recorded through the untyped
// operations to which the operators and functions of the language come down (Operations.h), with
// the result types that the front end's own table gives; a type that differs from the program's is
// a disagreement. Control flow is the public range, if_, while_ and returnIf. The list of
// parameters is made by hand: a Kernel<…> would need it as a type.
//
// A variable of the program is one C++ variable, made where the program sets it first, so that
// loops and branches see what is assigned.
#include "tests/support/programs/Run.h"

#include "tests/support/Comparison.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <optional>

namespace trowel::programs {

namespace {

using detail::Operand;
using detail::Variable;

const std::source_location here = std::source_location::current();

struct Traced {
  Variable value;
  ElementType type;

  Operand operand() const {
    Operand operand;
    operand.value = value.read();
    operand.type = type;
    return operand;
  }
};

/// All arguments of the kernel; they lie in a row.
struct Arguments {
  const detail::Value *first;
  explicit Arguments(const detail::Value &first) : first(&first) {}
};

std::optional<detail::BinaryOp> binaryOpOf(Op op) {
  using detail::BinaryOp;
  switch (op) {
  case Op::Add:
    return BinaryOp::Add;
  case Op::Subtract:
    return BinaryOp::Subtract;
  case Op::Multiply:
    return BinaryOp::Multiply;
  case Op::Divide:
    return BinaryOp::Divide;
  case Op::Remainder:
    return BinaryOp::Remainder;
  case Op::And:
    return BinaryOp::And;
  case Op::Or:
    return BinaryOp::Or;
  case Op::Xor:
    return BinaryOp::Xor;
  case Op::ShiftLeft:
    return BinaryOp::ShiftLeft;
  case Op::ShiftRight:
    return BinaryOp::ShiftRight;
  case Op::Minimum:
    return BinaryOp::Minimum;
  case Op::Maximum:
    return BinaryOp::Maximum;
  case Op::MinimumNumber:
    return BinaryOp::MinimumNumber;
  case Op::MaximumNumber:
    return BinaryOp::MaximumNumber;
  default:
    return std::nullopt;
  }
}

class Recorder {
public:
  explicit Recorder(const Program &program, Arguments arguments)
      : program(program), variables(program.variables) {
    for (std::size_t i = 0; i < program.buffers.size() + program.arguments.size(); ++i)
      parameters.emplace_back(arguments.first[i]);
  }

  void record(const std::vector<Statement> &block) {
    for (const Statement &statement : block)
      record(statement);
  }

private:
  static detail::Typing typingOf(const Expr &expr) {
    if (!expr.isHost())
      return {detail::Form::Tile, expr.type, detail::Weak::No};
    switch (expr.number.kind) {
    case HostNumber::Kind::Bool:
      return detail::TypingOf<detail::HostBool>::value;
    case HostNumber::Kind::Fraction:
      return detail::TypingOf<detail::HostFraction>::value;
    case HostNumber::Kind::Integer:
      return detail::TypingOf<detail::HostInteger>::value;
    }
    std::abort();
  }

  static void check(const Expr &expr, ElementType type) {
    if (expr.type != type)
      throw Error(
          fmt::format("an operation is typed {} and should be {}", name(type), name(expr.type)));
  }

  /// A value of the trace, or a number of the host. What was read of a variable does not outlast
  /// its moves, so operands are made where they are used.
  struct Made {
    std::optional<Traced> traced;
    Operand number;
    Operand operand() const { return traced ? traced->operand() : number; }
  };
  Made make(const Expr &expr) {
    Made made;
    if (!expr.isHost())
      made.traced.emplace(value(expr));
    made.number.isNumber = true;
    if (expr.op == Op::Size)
      made.number.number = detail::numberOf(program.valueOf(expr.size));
    else if (expr.number.kind == HostNumber::Kind::Fraction)
      made.number.number = detail::numberOf(expr.number.fraction);
    else if (expr.number.kind == HostNumber::Kind::Bool)
      made.number.number = detail::numberOf(expr.number.integer != 0);
    else
      made.number.number = detail::numberOf(expr.number.integer);
    return made;
  }

  Traced value(const Expr &expr) { return {Variable(record(expr)), expr.type}; }

  Variable pointer(const std::vector<Expr> &operands, int offsets, int buffer) {
    Variable pointer = parameters[buffer];
    for (int i = 0; i < offsets; ++i) {
      Made count = make(operands[i]);
      Operand from;
      from.value = pointer.read();
      pointer = Variable(detail::offset(from, count.operand(), false, here));
    }
    return pointer;
  }

  Shape shapeOf(TileShape shape) const {
    std::int64_t extents[4] = {1, 1, 1, 1};
    for (int axis = 0; axis < shape.rank; ++axis)
      extents[shape.rank - 1 - axis] = shape.axes >> axis & 1 ? program.extents[axis] : 1;
    switch (shape.rank) {
    case 1:
      return Shape(extents[0]);
    case 2:
      return Shape(extents[0], extents[1]);
    case 3:
      return Shape(extents[0], extents[1], extents[2]);
    default:
      return Shape(extents[0], extents[1], extents[2], extents[3]);
    }
  }

  detail::Value record(const Expr &expr) {
    const std::vector<Expr> &operands = expr.operands;
    switch (expr.op) {
    case Op::Argument:
      return parameters[program.buffers.size() + static_cast<std::size_t>(expr.which)].copy();
    case Op::Variable:
      return variables[expr.which]->copy();
    case Op::ProgramId:
      return detail::programId(expr.which, here);
    case Op::ProgramCount:
      return detail::programCount(expr.which, here);
    case Op::Coordinate: {
      Variable tile(detail::iota(Shape(program.extents[expr.which]), here));
      for (int axis = 0; axis < expr.which; ++axis)
        tile = Variable(detail::expand(tile.read(), Axis{axis + 1}, here));
      return tile.copy();
    }
    case Op::Load: {
      Variable from = pointer(operands, expr.offsets, expr.which);
      Made mask, fill;
      auto next = static_cast<std::size_t>(expr.offsets);
      if (expr.hasMask)
        mask = make(operands[next++]);
      if (expr.hasFill)
        fill = make(operands[next]);
      Operand maskOperand = mask.operand(), fillOperand = fill.operand();
      return detail::load(expr.type, from.read(), expr.hasMask ? &maskOperand : nullptr,
                          expr.hasFill ? &fillOperand : nullptr, Access(), here);
    }
    default:
      return operation(expr);
    }
  }

  detail::Value operation(const Expr &expr) {
    std::vector<Made> made;
    for (const Expr &operand : expr.operands)
      made.push_back(make(operand));
    auto operand = [&](int i) { return made[i].operand(); };
    auto unary = [&](detail::UnaryOp op) { return detail::unary(op, expr.type, operand(0), here); };
    auto function = [&](detail::MathFunction op) {
      return detail::math(op, detail::Accuracy::Full, expr.type, operand(0), here);
    };
    switch (expr.op) {
    case Op::Scalar:
      return detail::scalar(expr.type, operand(0), here);
    case Op::Full:
      return detail::full(expr.type, shapeOf(expr.shape), operand(0), here);
    case Op::Expand:
      return detail::expand(operand(0).value, Axis{0}, here);
    case Op::Cast:
      return detail::convert(expr.type, operand(0), here);
    case Op::Bitcast:
      return detail::bitcast(expr.type, operand(0), here);
    case Op::Negate:
      return unary(detail::UnaryOp::Negate);
    case Op::Complement:
      return unary(detail::UnaryOp::Complement);
    case Op::Abs:
      return unary(detail::UnaryOp::Abs);
    case Op::Sqrt:
      return unary(detail::UnaryOp::Sqrt);
    case Op::Exp:
      return function(detail::MathFunction::Exp);
    case Op::Tanh:
      return function(detail::MathFunction::Tanh);
    case Op::Not:
      return detail::logicalNot(operand(0).value);
    case Op::Fma:
      return detail::fma(expr.type, operand(0), operand(1), operand(2), here);
    case Op::Where:
      check(expr, detail::commonType(typingOf(expr.operands[1]), typingOf(expr.operands[2])));
      return detail::select(expr.type, operand(0), operand(1), operand(2), here);
    default:
      break;
    }
    if (isComparison(expr.op))
      return detail::compare(
          static_cast<detail::Comparison>(static_cast<int>(expr.op) - static_cast<int>(Op::Equal)),
          operand(0), operand(1), here);
    detail::Typing left = typingOf(expr.operands[0]), right = typingOf(expr.operands[1]);
    bool isShift = expr.op == Op::ShiftLeft || expr.op == Op::ShiftRight;
    bool isArithmetic = expr.op <= Op::CeilDivide;
    check(expr, isShift        ? detail::shiftType(left, right)
                : isArithmetic ? detail::arithmeticType(left, right)
                               : detail::commonType(left, right));
    if (expr.op == Op::CeilDivide)
      return detail::ceilDivide(expr.type, operand(0), operand(1), here);
    return detail::binary(*binaryOpOf(expr.op), expr.type, operand(0), operand(1), here);
  }

  Index index(const Expr &expr) {
    if (expr.isHost())
      return Index(expr.op == Op::Size ? program.valueOf(expr.size) : expr.number.integer);
    return Index(Scalar<int64>(record(expr)));
  }
  Scalar<bool> truth(const Expr &expr) {
    if (expr.isHost())
      return Scalar<bool>(expr.number.integer != 0);
    return Scalar<bool>(record(expr));
  }

  void record(const Statement &statement) {
    const std::vector<Expr> &operands = statement.operands;
    switch (statement.kind) {
    case Statement::Kind::Let:
      variables[statement.variable].emplace(record(operands[0]));
      break;
    case Statement::Kind::Assign:
      *variables[statement.variable] = Variable(record(operands[0]));
      break;
    case Statement::Kind::Store: {
      Variable to = pointer(operands, statement.offsets, statement.buffer);
      Made mask, stored = make(operands.back());
      if (statement.hasMask)
        mask = make(operands[statement.offsets]);
      Operand maskOperand = mask.operand();
      detail::store(program.buffers[statement.buffer].type, to.read(), stored.operand(),
                    statement.hasMask ? &maskOperand : nullptr, Access(), here);
      break;
    }
    case Statement::Kind::For: {
      auto body = [&](const Index &k) {
        variables[statement.variable].emplace(k.copy());
        record(statement.body);
      };
      Index begin = index(operands[0]), end = index(operands[1]);
      if (operands[2].isHost()) {
        for (Index k : range(begin, end, operands[2].number.integer))
          body(k);
      } else {
        for (Index k : range(begin, end, index(operands[2])))
          body(k);
      }
      break;
    }
    case Statement::Kind::If: {
      auto branch = if_(truth(operands[0]), [&] { record(statement.body); });
      if (!statement.otherwise.empty())
        branch.else_([&] { record(statement.otherwise); });
      break;
    }
    case Statement::Kind::While:
      while_([&] { return truth(operands[0]); }, [&] { record(statement.body); });
      break;
    case Statement::Kind::ReturnIf:
      returnIf(truth(operands[0]));
      break;
    }
  }

  const Program &program;
  std::vector<Variable> parameters;
  std::vector<std::optional<Variable>> variables;
};

/// A kernel, and the parameters that its source points to.
struct Made {
  std::vector<detail::Parameter> parameters;
  std::optional<detail::KernelHandle> kernel;

  explicit Made(const Program &program) {
    for (const BufferInfo &buffer : program.buffers)
      parameters.push_back({detail::Parameter::Kind::Pointer, buffer.type, buffer.readOnly});
    for (const ArgumentInfo &argument : program.arguments)
      parameters.push_back(
          {argument.isIndex ? detail::Parameter::Kind::Index : detail::Parameter::Kind::Scalar,
           argument.type, true});
    auto body = [&program](Arguments arguments) {
      Recorder(program, arguments).record(program.statements);
    };
    detail::KernelSource source;
    source.name = "random";
    source.options.warps = program.warps;
    source.options.elementsPerThread = program.elementsPerThread;
    source.parameters = parameters.data();
    source.parameterCount = parameters.size();
    source.body = detail::Body::make<decltype(body), Arguments>(body);
    source.at = here;
    kernel.emplace(std::move(source));
  }
};

std::string spell(ElementType type, Bits bits) {
  if (isFloating(type))
    return fmt::format("{} (0x{:x})", numberOf(type, bits), bits);
  return isUnsigned(type) ? fmt::format("{}", bits) : fmt::format("{}", integerOf(type, bits));
}

std::uint64_t ulpsOff(ElementType type, Bits bits, double reference) {
  switch (type) {
  case ElementType::Float16:
    return support::ulpDistance(f16::fromBits(static_cast<std::uint16_t>(bits)), reference);
  case ElementType::BFloat16:
    return support::ulpDistance(bf16::fromBits(static_cast<std::uint16_t>(bits)), reference);
  default:
    return support::ulpDistance(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), reference);
  }
}

/// Bit for bit, but for NaNs, which arithmetic makes of any bits.
bool agree(ElementType type, Bits got, Bits expected) {
  return got == expected || (isNaN(type, got) && isNaN(type, expected));
}

bool agree(ElementType type, Bits got, const Approximation &expected) {
  return ulpsOff(type, got, expected.reference) <= expected.ulps ||
         std::fabs(numberOf(type, got) - expected.reference) <= expected.absolute;
}

std::string difference(const Program &program, int buffer, const Memory &expected,
                       const std::vector<uint8> &bytes) {
  const BufferInfo &info = program.buffers[buffer];
  const auto size = static_cast<std::size_t>(byteSize(info.type));
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t i = 0; i < expected.elements.size(); ++i) {
    Bits got = 0;
    std::memcpy(&got, bytes.data() + i * size, size);
    const std::optional<Approximation> &approximation = expected.approximations[i];
    bool right = approximation ? agree(info.type, got, *approximation)
                               : agree(info.type, got, expected.elements[i]);
    if (right || wrong++ != 0)
      continue;
    std::int64_t slice = program.slice();
    first = fmt::format("buffer {} of {}, element {} ({} of slice {}): {} instead of {}", buffer,
                        name(info.type), i, i % static_cast<std::size_t>(slice),
                        i / static_cast<std::size_t>(slice), spell(info.type, got),
                        approximation ? fmt::format("{}", approximation->reference)
                                      : spell(info.type, expected.elements[i]));
  }
  return wrong == 0 ? "" : fmt::format("{}; {} elements are wrong\n", first, wrong);
}

/// Launches under an order of warps of the program's own. The order is the device's, so that
/// programs run one at a time; they are compiled before.
void launch(const detail::KernelHandle &kernel, const Program &program, const Device &device,
            std::span<const LaunchArgument> arguments) {
  static std::mutex launching;
  kernel.launch(nullptr, Grid{0}, arguments);
  std::lock_guard lock(launching);
  if (device.isSimulator())
    device.setWarpOrder(program.seed % 4 == 0 ? 0 : program.seed);
  kernel.launch(nullptr, Grid{program.grid[0], program.grid[1], program.grid[2]}, arguments);
}

} // namespace

std::string disagreement(const Program &program, const Device &device) {
  return disagreement(program, evaluate(program), device);
}

std::string disagreement(const Program &program, const Evaluation &expected, const Device &device) {
  if (!expected.refusal.empty())
    return "the program " + expected.refusal;
  try {
    Made made(program);
    std::vector<Buffer<uint8>> buffers;
    std::vector<std::size_t> starts;
    std::vector<LaunchArgument> arguments;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
      const BufferInfo &info = program.buffers[i];
      Elements contents = initialContents(program, static_cast<int>(i));
      const auto size = static_cast<std::size_t>(byteSize(info.type));
      starts.push_back(static_cast<std::size_t>(info.misalignment) * size);
      std::vector<uint8> bytes(starts.back() + contents.size() * size);
      for (std::size_t k = 0; k < contents.size(); ++k)
        std::memcpy(bytes.data() + starts.back() + k * size, &contents[k], size);
      buffers.push_back(device.upload(bytes));
      LaunchArgument &pointer = arguments.emplace_back();
      pointer.kind = LaunchArgument::Kind::Pointer;
      pointer.type = info.type;
      pointer.constant = info.readOnly;
      pointer.bits = buffers.back().address() + starts.back();
      pointer.bytes = buffers.back().bytes() - starts.back();
      pointer.device = &device.state();
    }
    for (const ArgumentInfo &info : program.arguments) {
      arguments.emplace_back();
      arguments.back().type = info.type;
      arguments.back().bits = info.value;
    }
    launch(*made.kernel, program, device, arguments);
    std::string text;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      std::vector<uint8> bytes = buffers[i].download();
      bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(starts[i]));
      text += difference(program, static_cast<int>(i), expected.buffers[i], bytes);
    }
    return text;
  } catch (const Error &error) {
    return std::string("error: ") + error.what() + "\n";
  }
}

std::string ptxOf(const Program &program, const Device &device) {
  try {
    return Made(program).kernel->ptx(device.target(), Assume::Nothing);
  } catch (const Error &error) {
    return error.what();
  }
}

} // namespace trowel::programs
