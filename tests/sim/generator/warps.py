# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of exchanges between the lanes of a warp, and of barriers that reduce.

Here a lane's result is found by asking for every other lane, "is it one of mine?", as a reader of the manual would.
"""
import random

from programs import integer_specials, program, to_signed

LANES = range(32)
FULL = 0xFFFFFFFF


def words(count, seed, width=32):
    generator = random.Random(seed)
    specials = integer_specials(width)
    return [specials[i // 3] if i % 3 == 0 and i // 3 < len(specials) else generator.getrandbits(width)
            for i in range(count)]


def select(name, predicate):
    return f"selp.b32 %{name}, 1, 0, {predicate};"


# ---- shfl ----

def source_lane(mode, lane, by, control):
    """The lane that is read, or None where the shuffle stays outside the segment or beyond the clamp."""
    by &= 31
    clamp, kept = control & 31, control >> 8 & 31
    first = lane & kept
    limit = first | (clamp & ~kept & 31)
    source = {"up": lane - by, "down": lane + by, "bfly": lane ^ by, "idx": first | (by & ~kept & 31)}[mode]
    return source if (source >= limit if mode == "up" else source <= limit) else None


def shuffles():
    generator = random.Random(41)
    for mode in ("up", "down", "bfly", "idx"):
        # One warp whose lanes agree on b and c in each of six shuffles, then one where each lane has its own.
        values = words(64, 17)
        clamp = 0 if mode == "up" else 31
        by = [generator.choice([0, 1, 2, 3, 5, 8, 16, 31, 32, 33, 255, FULL]) for _ in values]
        control = [generator.choice([clamp, clamp | 0x1000, clamp | 0x1800, clamp | 0x1C00, 0x0C07, 0x1F1F,
                                     generator.getrandbits(13)]) for _ in values]
        # What a lane reads must be of this world: amounts that leave the warp are refused by the clamp alone.
        for i in range(64):
            lane = i % 32
            source = source_lane(mode, lane, by[i], control[i])
            if source is not None and not 0 <= source < 32:
                control[i] = clamp
        forms = [("one", "1", str(clamp)), ("five", "5", str(clamp)), ("none", "0", str(clamp)),
                 ("eights", "3", str(clamp | 0x1800)), ("pairs", "1", str(clamp | 0x1E00)), ("own", "%b", "%c")]
        outputs = []
        for name, b, c in forms:
            results, inside = [], []
            for i, value in enumerate(values):
                b_value = by[i] if b == "%b" else int(b)
                c_value = control[i] if c == "%c" else int(c)
                source = source_lane(mode, i % 32, b_value, c_value)
                inside.append(int(source is not None))
                results.append(value if source is None else values[i // 32 * 32 + source])
            outputs.append((name, "b32", f"shfl.sync.{mode}.b32 %{name}|%p1, %a, {b}, {c}, -1;", results))
            outputs.append((f"{name}_in", "b32", select(f"{name}_in", "%p1"), inside))
        program(f"shfl-{mode}", f"shfl.sync.{mode}: segments, clamps, and the predicate that says whether a lane was read.",
                [("a", "b32", values), ("b", "b32", by), ("c", "b32", control)], outputs)
    # Halves of a warp, each for itself, with the mask in a register.
    values = words(32, 18)
    members = [0x0000FFFF if lane < 16 else 0xFFFF0000 for lane in LANES]
    program("shfl-halves", "Lanes of one shuffle may name different member masks: each set exchanges among itself.",
            [("a", "b32", values), ("m", "b32", members)],
            [("x", "b32", "shfl.sync.bfly.b32 %x, %a, 9, 31, %m;", [values[lane ^ 9] for lane in LANES]),
             ("y", "b32", "mov.b32 %y, 7;\nsetp.lt.u32 %p0, %thread, 16;\n@%p0 shfl.sync.idx.b32 %y, %a, 3, 31, 65535;",
              [values[3] if lane < 16 else 7 for lane in LANES])])


# ---- votes, matches, reductions, elections ----

def votes():
    generator = random.Random(42)
    # Warps that are all true, all false, mixed, and true but for one lane.
    values = [1] * 32 + [0] * 32 + [generator.getrandbits(1) for _ in LANES] + [int(lane != 13) for lane in LANES]
    half = [0x5555AAAA if 0x5555AAAA >> (i % 32) & 1 else 0xAAAA5555 for i in range(128)]

    def over(members, negate, what):
        results = []
        for i in range(128):
            mask = members[i]
            asked = [values[i // 32 * 32 + lane] ^ negate for lane in LANES if mask >> lane & 1]
            ballot = sum((values[i // 32 * 32 + lane] ^ negate) << lane for lane in LANES if mask >> lane & 1)
            results.append({"all": int(all(asked)), "any": int(any(asked)), "uni": int(len(set(asked)) == 1),
                            "ballot": ballot}[what])
        return results

    outputs = []
    for what in ("all", "any", "uni", "ballot"):
        for suffix, members, mask, negate in (("", [FULL] * 128, "-1", 0), ("_not", [FULL] * 128, "-1", 1),
                                              ("_half", half, "%m", 0)):
            name, sign = what + suffix, "!" if negate else ""
            code = "setp.ne.u32 %p0, %a, 0;\n"
            if what == "ballot":
                code += f"vote.sync.ballot.b32 %{name}, {sign}%p0, {mask};"
            else:
                code += f"vote.sync.{what}.pred %p1, {sign}%p0, {mask};\n" + select(name, "%p1")
            outputs.append((name, "b32", code, over(members, negate, what)))
    outputs.append(("active", "b32", "activemask.b32 %active;", [FULL] * 128))
    program("vote", "Votes over the lanes of the member mask, and their negations.",
            [("a", "b32", values), ("m", "b32", half)], outputs)


def matches():
    for width in (32, 64):
        generator = random.Random(width)
        pool = words(5, 3, width) + [1 << (width - 1), (1 << (width - 1)) + 1]
        values = [generator.choice(pool) for _ in LANES] + [pool[4]] * 32 + [pool[3]] * 31 + [pool[2]]
        half = [0x00FF00FF if 0x00FF00FF >> (i % 32) & 1 else 0xFF00FF00 for i in range(96)]

        def equal(i, members):
            return sum(1 << lane for lane in LANES if members >> lane & 1 and values[i // 32 * 32 + lane] == values[i])

        def everyone(members):
            return [members[i] if equal(i, members[i]) == members[i] else 0 for i in range(96)]

        full = [FULL] * 96
        program(f"match-{width}", f"The lanes that hold the same {width} bits, and whether all do.",
                [("a", f"b{width}", values), ("m", "b32", half)],
                [("any", "b32", f"match.any.sync.b{width} %any, %a, -1;", [equal(i, FULL) for i in range(96)]),
                 ("anyhalf", "b32", f"match.any.sync.b{width} %anyhalf, %a, %m;", [equal(i, half[i]) for i in range(96)]),
                 ("all", "b32", f"match.all.sync.b{width} %all|%p1, %a, -1;", everyone(full)),
                 ("allp", "b32", select("allp", "%p1"), [int(v != 0) for v in everyone(full)]),
                 ("allhalf", "b32", f"match.all.sync.b{width} %allhalf|%p1, %a, %m;", everyone(half)),
                 ("allhalfp", "b32", select("allhalfp", "%p1"), [int(v != 0) for v in everyone(half)])])


def reductions():
    values = words(64, 23)
    half = [0x0F0F0F0F if 0x0F0F0F0F >> (i % 32) & 1 else 0xF0F0F0F0 for i in range(64)]

    def folded(function, signed, members):
        results = []
        for i in range(64):
            taken = [values[i // 32 * 32 + lane] for lane in LANES if members[i] >> lane & 1]
            taken = [to_signed(v, 32) for v in taken] if signed else taken
            results.append(function(taken) & FULL)
        return results

    def bits(keep):
        return lambda taken: sum(1 << b for b in range(32) if keep([v >> b & 1 for v in taken]))

    outputs = []
    for name, opcode, function, signed in (
            ("addu", "add.u32", sum, False), ("adds", "add.s32", sum, True), ("minu", "min.u32", min, False),
            ("mins", "min.s32", min, True), ("maxu", "max.u32", max, False), ("maxs", "max.s32", max, True),
            ("and", "and.b32", bits(all), False), ("or", "or.b32", bits(any), False),
            ("xor", "xor.b32", bits(lambda each: sum(each) % 2), False)):
        outputs.append((name, "b32", f"redux.sync.{opcode} %{name}, %a, -1;", folded(function, signed, [FULL] * 64)))
        outputs.append((f"{name}_half", "b32", f"redux.sync.{opcode} %{name}_half, %a, %m;", folded(function, signed, half)))
    program("redux", "Sums, extremes and logic over the lanes of the member mask.",
            [("a", "b32", values), ("m", "b32", half)], outputs)


def elections():
    # Which lane leads is the chip's choice; there is one, it is a member, all are told, and it is told alone.
    members = [0x00FFF000 if 12 <= lane < 24 else 0xFF000FFF for lane in LANES]
    code = """elect.sync %t0|%p1, %m;
vote.sync.ballot.b32 %t1, %p1, %m;
shl.b32 %t2, 1, %t0;
and.b32 %t3, %t2, %m;
setp.eq.u32 %p2, %t1, %t3;
""" + select("one", "%p2")
    program("elect", "elect.sync chooses one member, tells all which, and gives the predicate to that one.",
            [("m", "b32", members)],
            [("one", "b32", code, [1] * 32),
             ("sink", "b32", "elect.sync _|%p1, -1;\nvote.sync.ballot.b32 %t1, %p1, -1;\npopc.b32 %sink, %t1;", [1] * 32)],
            target="sm_90", version="8.0")


# ---- barriers ----

def barriers():
    generator = random.Random(43)
    values = [generator.getrandbits(1) for _ in range(96)]
    second = [1] * 95 + [0]
    holds = "setp.ne.u32 %p0, %a, 0;\nsetp.ne.u32 %p2, %b, 0;\n"
    count = sum(values)
    # Warps 0 and 1 meet at barrier 5 for themselves, warp 2 at barrier 6.
    pair, single = sum(values[:64]), sum(values[64:])
    program("bar-red", "Barriers that count and combine the predicates of all threads, or of as many as they name.",
            [("a", "b32", values), ("b", "b32", second)],
            [("popc", "b32", holds + "bar.red.popc.u32 %popc, 0, %p0;", [count] * 96),
             ("popcnot", "b32", "barrier.cta.red.popc.aligned.u32 %popcnot, 0, !%p0;", [96 - count] * 96),
             ("and", "b32", "bar.red.and.pred %p1, 1, %p2;\n" + select("and", "%p1"), [0] * 96),
             ("andcount", "b32", "barrier.red.and.pred %p1, 15, 96, !%p2;\n" + select("andcount", "%p1"), [0] * 96),
             ("or", "b32", "bar.cta.red.or.pred %p1, 2, !%p2;\n" + select("or", "%p1"), [1] * 96),
             ("some", "b32", "mov.b32 %t0, 5;\nmov.b32 %t1, 64;\nsetp.ge.u32 %p3, %thread, 64;\n"
              "@%p3 mov.b32 %t0, 6;\n@%p3 mov.b32 %t1, 32;\nbarrier.cta.red.popc.aligned.u32 %some, %t0, %t1, %p0;",
              [pair] * 64 + [single] * 32)])
    values = words(64, 29)
    program("bar-arrive", "Named barriers between two warps: a producer that only arrives, a consumer that waits.",
            [("a", "b32", values)],
            [("x", "b32", """.shared .b32 there[32];
.shared .b32 back[32];
and.b32 %t0, %thread, 31;
shl.b32 %t0, %t0, 2;
mov.u32 %t1, there;
add.u32 %t1, %t1, %t0;
mov.u32 %t2, back;
add.u32 %t2, %t2, %t0;
setp.ge.u32 %p0, %thread, 32;
@%p0 bra CONSUMER;
st.shared.b32 [%t1], %a;
bar.arrive 1, 64;
bar.sync 2, 64;
ld.shared.b32 %x, [%t2];
bra DONE;
CONSUMER:
barrier.cta.sync.aligned 1, 64;
ld.shared.b32 %x, [%t1];
add.u32 %t3, %x, %a;
st.shared.b32 [%t2], %t3;
barrier.cta.arrive.aligned 2, 64;
DONE:""", [(values[i] + values[i + 32]) & FULL for i in range(32)] + values[:32])])
    values = words(64, 31)
    program("barrier-unaligned", "Lanes of one warp may come to a barrier by different ways, each for itself.",
            [("a", "b32", values)],
            [("x", "b32", """.shared .b32 cell[64];
mov.u32 %t1, cell;
mad.lo.u32 %t2, %thread, 4, %t1;
st.shared.b32 [%t2], %a;
and.b32 %t3, %thread, 1;
setp.ne.u32 %p0, %t3, 0;
@%p0 bra ODD;
barrier.sync 3, 64;
bra BOTH;
ODD:
barrier.cta.sync 3, 64;
BOTH:
barrier.sync 4;
xor.b32 %t3, %thread, 33;
mad.lo.u32 %t2, %t3, 4, %t1;
ld.shared.b32 %x, [%t2];""", [values[i ^ 33] for i in range(64)])])
    values = words(32, 37)
    program("bar-warp-sync", "bar.warp.sync lets lanes meet that come by different ways, and orders what they wrote.",
            [("a", "b32", values)],
            [("x", "b32", """.shared .b32 cell[32];
mov.u32 %t1, cell;
mad.lo.u32 %t2, %thread, 4, %t1;
setp.lt.u32 %p0, %thread, 20;
@%p0 bra LOW;
st.shared.b32 [%t2], %a;
bar.warp.sync -1;
bra BOTH;
LOW:
add.u32 %t3, %a, 1;
st.shared.b32 [%t2], %t3;
bar.warp.sync -1;
BOTH:
sub.u32 %t3, 31, %thread;
mad.lo.u32 %t2, %t3, 4, %t1;
ld.shared.b32 %x, [%t2];""", [(values[31 - i] + int(31 - i < 20)) & FULL for i in LANES])])


def warps():
    shuffles()
    votes()
    matches()
    reductions()
    elections()
    barriers()
