#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times what a user would pick instead (PyTorch, cuBLAS, cuDNN, torch.compile, Triton) on one GPU.

One JSON object a line: {"op", "case", "dtype", "impl", "us", "rate", "unit"}.
  us    median time of one call in microseconds, from CUDA events, L2 flushed before each call
  rate  useful work per second: GB/s (bytes that must move, counted once) or TFLOP/s
Usage: peers.py [--only OP,OP] [--triton DIR]   DIR holds Triton's own tutorial files, where they are at hand
"""
import argparse, importlib.util, json, math, os, sys, time
import torch, triton
import triton.language as tl
from triton.testing import do_bench

DEV = "cuda"
torch.manual_seed(0)


def emit(op, case, dtype, impl, ms, work, unit):
    scale = 1e9 if unit == "GB/s" else 1e12
    print(json.dumps(dict(op=op, case=case, dtype=dtype, impl=impl, us=round(ms * 1e3, 2),
                          rate=round(work / (ms * 1e-3) / scale, 1), unit=unit)), flush=True)


def run(op, case, dtype, impl, fn, work, unit, check=None):
    try:
        out = fn()
        torch.cuda.synchronize()
        if check is not None:
            ref = check.float()
            err = ((out.float() - ref).norm() / ref.norm()).item()
            if not err < 2e-2:
                print(json.dumps(dict(op=op, case=case, impl=impl, error=f"wrong result, relative error {err}")), flush=True)
                return
        emit(op, case, dtype, impl, do_bench(fn, warmup=25, rep=100, return_mode="median"), work, unit)
    except Exception as e:  # a peer that cannot run a case is reported, never hidden
        print(json.dumps(dict(op=op, case=case, impl=impl, error=str(e).splitlines()[0][:200] if str(e) else repr(e))), flush=True)


@triton.jit
def add_k(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, m) + tl.load(y + i, m), m)


@triton.jit
def bias_gelu_k(x, b, o, ncols, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    j = tl.program_id(1) * B + tl.arange(0, B)
    m = j < ncols
    v = tl.load(x + row * ncols + j, m).to(tl.float32) + tl.load(b + j, m).to(tl.float32)
    a = 0.7978845608 * (v + 0.044715 * v * v * v)
    t = 1 - 2 / (tl.exp(2 * a) + 1)
    tl.store(o + row * ncols + j, 0.5 * v * (1 + t), m)


@triton.jit
def softmax_k(x, o, ncols, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, B)
    m = j < ncols
    v = tl.load(x + row * ncols + j, m, other=-float("inf")).to(tl.float32)
    v = tl.exp(v - tl.max(v, 0))
    tl.store(o + row * ncols + j, v / tl.sum(v, 0), m)


@triton.jit
def rowsum_k(x, o, ncols, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    acc = tl.zeros([B], tl.float32)
    for s in range(0, ncols, B):
        j = s + tl.arange(0, B)
        acc += tl.load(x + row * ncols + j, j < ncols, other=0.0).to(tl.float32)
    tl.store(o + row, tl.sum(acc, 0))


@triton.jit
def rmsnorm_k(x, w, o, ncols, eps, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, B)
    m = j < ncols
    v = tl.load(x + row * ncols + j, m, other=0.0).to(tl.float32)
    r = tl.rsqrt(tl.sum(v * v, 0) / ncols + eps)
    tl.store(o + row * ncols + j, v * r * tl.load(w + j, m).to(tl.float32), m)


@triton.jit
def cross_entropy_k(x, labels, loss, ncols, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    big = tl.full([B], -float("inf"), tl.float32)
    s = tl.zeros([B], tl.float32)
    for c in range(0, ncols, B):
        j = c + tl.arange(0, B)
        v = tl.load(x + row * ncols + j, j < ncols, other=-float("inf")).to(tl.float32)
        new = tl.maximum(big, v)
        s = s * tl.exp(big - new) + tl.exp(v - new)
        big = new
    top = tl.max(big, 0)
    total = tl.sum(s * tl.exp(big - top), 0)
    picked = tl.load(x + row * ncols + tl.load(labels + row)).to(tl.float32)
    tl.store(loss + row, tl.log(total) + top - picked)


@triton.jit
def layernorm_k(x, w, b, o, ncols, eps, B: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, B)
    m = j < ncols
    v = tl.load(x + row * ncols + j, m, other=0.0).to(tl.float32)
    mu = tl.sum(v, 0) / ncols
    d = tl.where(m, v - mu, 0.0)
    r = tl.rsqrt(tl.sum(d * d, 0) / ncols + eps)
    y = d * r * tl.load(w + j, m).to(tl.float32) + tl.load(b + j, m).to(tl.float32)
    tl.store(o + row * ncols + j, y, m)


def warps(b):
    return 4 if b <= 2048 else 8 if b <= 8192 else 16


def best(make, options):
    """The fastest of a few launch options: what a Triton user's autotuner would find."""
    timed = []
    for o in options:
        try:
            timed.append((do_bench(make(o), warmup=5, rep=20, return_mode="median"), o))
        except Exception:
            pass
    return make(min(timed, key=lambda t: t[0])[1])


def memory_bound(only):
    if "copy" in only:
        x = torch.randn(1 << 30, device=DEV)
        y = torch.empty_like(x)
        run("copy", f"{x.numel()}", "f32", "torch", lambda: y.copy_(x), 8 * x.numel(), "GB/s")
        del x, y
    if "add" in only:
        for n in (1 << 20, 1 << 26):
            x, y = torch.randn(n, device=DEV), torch.randn(n, device=DEV)
            o = torch.empty_like(x)
            run("add", f"{n}", "f32", "torch", lambda: torch.add(x, y, out=o), 12 * n, "GB/s")

            def mk(bw):
                def f():
                    add_k[(triton.cdiv(n, bw[0]),)](x, y, o, n, B=bw[0], num_warps=bw[1])
                    return o
                return f
            run("add", f"{n}", "f32", "triton", best(mk, [(1024, 4), (2048, 8), (4096, 8), (1024, 8)]), 12 * n, "GB/s", x + y)
    if "bias_gelu" in only:
        M = N = 8192
        x, b = torch.randn(M, N, device=DEV, dtype=torch.bfloat16), torch.randn(N, device=DEV, dtype=torch.bfloat16)
        o = torch.empty_like(x)
        eager = lambda: torch.nn.functional.gelu(x + b, approximate="tanh")
        ref = torch.nn.functional.gelu(x.float() + b.float(), approximate="tanh")
        work = 2 * 2 * M * N
        run("bias_gelu", f"{M}x{N}", "bf16", "torch", eager, work, "GB/s")
        run("bias_gelu", f"{M}x{N}", "bf16", "torch.compile", torch.compile(eager), work, "GB/s", ref)

        def mk(bw):
            def f():
                bias_gelu_k[(M, triton.cdiv(N, bw[0]))](x, b, o, N, B=bw[0], num_warps=bw[1])
                return o
            return f
        run("bias_gelu", f"{M}x{N}", "bf16", "triton", best(mk, [(1024, 4), (2048, 4), (4096, 8), (8192, 8), (8192, 16)]), work, "GB/s", ref)
    for dt, dn in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
        size = torch.finfo(dt).bits // 8
        if "softmax" in only:
            for M, N in ((16384, 1024), (8192, 4096), (8192, 8192), (4096, 32768), (4096, 3000)):
                x = torch.randn(M, N, device=DEV, dtype=dt)
                o = torch.empty_like(x)
                ref = torch.softmax(x.float(), -1)
                work = 2 * size * M * N
                eager = lambda: torch.softmax(x, -1)
                run("softmax", f"{M}x{N}", dn, "torch", eager, work, "GB/s")
                torch._dynamo.reset()
                run("softmax", f"{M}x{N}", dn, "torch.compile", torch.compile(eager), work, "GB/s", ref)

                def mk(w):
                    def f():
                        softmax_k[(M,)](x, o, N, B=triton.next_power_of_2(N), num_warps=w)
                        return o
                    return f
                run("softmax", f"{M}x{N}", dn, "triton", best(mk, [2, 4, 8, 16, 32]), work, "GB/s", ref)
        if "rowsum" in only:
            for M, N in ((8192, 4096), (4096, 65536)):
                x = torch.randn(M, N, device=DEV, dtype=dt) + 1
                o = torch.empty(M, device=DEV)
                ref = x.float().sum(-1)
                work = size * M * N
                run("rowsum", f"{M}x{N}", dn, "torch", lambda: x.sum(-1, dtype=torch.float32), work, "GB/s", ref)

                def mk(bw):
                    def f():
                        rowsum_k[(M,)](x, o, N, B=bw[0], num_warps=bw[1])
                        return o
                    return f
                run("rowsum", f"{M}x{N}", dn, "triton", best(mk, [(1024, 4), (2048, 4), (4096, 8), (8192, 8), (4096, 4)]), work, "GB/s", ref)
        if "rmsnorm" in only:
            for M, N in ((16384, 1024), (8192, 4096), (8192, 8192)):
                x, w = torch.randn(M, N, device=DEV, dtype=dt), torch.randn(N, device=DEV, dtype=dt)
                o = torch.empty_like(x)
                eager = lambda: torch.nn.functional.rms_norm(x, (N,), w, 1e-5)
                ref = torch.nn.functional.rms_norm(x.float(), (N,), w.float(), 1e-5)
                work = 2 * size * M * N
                run("rmsnorm", f"{M}x{N}", dn, "torch", eager, work, "GB/s", ref)
                torch._dynamo.reset()
                run("rmsnorm", f"{M}x{N}", dn, "torch.compile", torch.compile(eager), work, "GB/s", ref)

                def mk(wp):
                    def f():
                        rmsnorm_k[(M,)](x, w, o, N, 1e-5, B=triton.next_power_of_2(N), num_warps=wp)
                        return o
                    return f
                run("rmsnorm", f"{M}x{N}", dn, "triton", best(mk, [2, 4, 8, 16]), work, "GB/s", ref)
        if "cross_entropy" in only:
            for M, N in ((8192, 50257), (4096, 128256)):
                x = torch.randn(M, N, device=DEV, dtype=dt)
                labels = torch.randint(0, N, (M,), device=DEV)
                loss = torch.empty(M, device=DEV)
                eager = lambda: torch.nn.functional.cross_entropy(x, labels, reduction="none")
                ref = torch.nn.functional.cross_entropy(x.float(), labels, reduction="none")
                work = size * M * N
                run("cross_entropy", f"{M}x{N}", dn, "torch", eager, work, "GB/s", ref)
                torch._dynamo.reset()
                run("cross_entropy", f"{M}x{N}", dn, "torch.compile", torch.compile(eager), work, "GB/s", ref)

                def mk(bw):
                    def f():
                        cross_entropy_k[(M,)](x, labels, loss, N, B=bw[0], num_warps=bw[1])
                        return loss
                    return f
                run("cross_entropy", f"{M}x{N}", dn, "triton", best(mk, [(1024, 4), (2048, 8), (4096, 8), (8192, 16)]), work, "GB/s", ref)
        if "layernorm" in only:
            for M, N in ((16384, 1024), (8192, 4096), (8192, 8192), (4096, 16384)):
                x = torch.randn(M, N, device=DEV, dtype=dt)
                w, b = torch.randn(N, device=DEV, dtype=dt), torch.randn(N, device=DEV, dtype=dt)
                o = torch.empty_like(x)
                eager = lambda: torch.nn.functional.layer_norm(x, (N,), w, b)
                ref = torch.nn.functional.layer_norm(x.float(), (N,), w.float(), b.float())
                work = 2 * size * M * N
                run("layernorm", f"{M}x{N}", dn, "torch", eager, work, "GB/s", ref)
                torch._dynamo.reset()
                run("layernorm", f"{M}x{N}", dn, "torch.compile", torch.compile(eager), work, "GB/s", ref)

                def mk(wp):
                    def f():
                        layernorm_k[(M,)](x, w, b, o, N, 1e-5, B=triton.next_power_of_2(N), num_warps=wp)
                        return o
                    return f
                run("layernorm", f"{M}x{N}", dn, "triton", best(mk, [2, 4, 8, 16, 32]), work, "GB/s", ref)


MM = [(512, 512, 512), (1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192),
      (4096, 14336, 4096), (4096, 4096, 14336), (16384, 4096, 4096), (1000, 4000, 3000), (16, 8192, 8192), (128, 8192, 8192)]


def load(dirname, name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(dirname, name + ".py"))
    m = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(m)
    return m


def matmul(only, tdir):
    t09 = load(tdir, "t09_persistent_matmul") if tdir else None
    for dt, dn in ((torch.bfloat16, "bf16"), (torch.float16, "f16")):
        cases = MM if dn == "bf16" else [(4096, 4096, 4096), (8192, 8192, 8192)]
        for M, N, K in cases:
            a, b = torch.randn(M, K, device=DEV, dtype=dt), torch.randn(K, N, device=DEV, dtype=dt)
            bt = b.t().contiguous()
            ref = a.float() @ b.float() if M * N <= 1 << 26 else None
            case, work = f"{M}x{N}x{K}", 2 * M * N * K
            run("matmul", case, dn, "cublas", lambda: torch.mm(a, b), work, "TFLOP/s", ref)
            run("matmul_nt", case, dn, "cublas", lambda: torch.mm(a, bt.t()), work, "TFLOP/s", ref)
            if t09 and dn == "f16" or t09 and M >= 1000:
                t = dt
                run("matmul", case, dn, "triton", lambda: t09.matmul(a, b), work, "TFLOP/s", ref)
                if K % 8 == 0:
                    run("matmul_nt", case, dn, "triton-tma", lambda: t09.matmul_tma(a, bt, False), work, "TFLOP/s", ref)
                    run("matmul_nt", case, dn, "triton-tma-persistent", lambda: t09.matmul_tma_persistent(a, bt, False), work, "TFLOP/s", ref)
    if "fp8" in only:
        for M, N, K in ((4096, 4096, 4096), (8192, 8192, 8192)):
            a = torch.randn(M, K, device=DEV).to(torch.float8_e4m3fn)
            bt = torch.randn(N, K, device=DEV).to(torch.float8_e4m3fn)
            one = torch.ones((), device=DEV)
            case, work = f"{M}x{N}x{K}", 2 * M * N * K
            ref = a.float() @ bt.float().t()
            for fast in (False, True):
                run("matmul_nt", case, "e4m3", "cublas" + ("-fast-accum" if fast else ""),
                    lambda: torch._scaled_mm(a, bt.t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=fast), work, "TFLOP/s", ref)
    for prec, dn in (("highest", "f32"), ("high", "tf32")):
        torch.set_float32_matmul_precision(prec)
        M = N = K = 4096
        a, b = torch.randn(M, K, device=DEV), torch.randn(K, N, device=DEV)
        run("matmul", f"{M}x{N}x{K}", dn, "cublas", lambda: torch.mm(a, b), 2 * M * N * K, "TFLOP/s")


def attention(tdir):
    from torch.nn.attention import SDPBackend, sdpa_kernel
    t06 = load(tdir, "t06_fused_attention") if tdir else None
    H = 16
    for D in (64, 128):
        for B, S in ((16, 1024), (4, 4096), (1, 16384)):
            for causal in (False, True):
                q, k, v = (torch.randn(B, H, S, D, device=DEV, dtype=torch.bfloat16) for _ in range(3))
                case = f"b{B}h{H}s{S}d{D}" + ("c" if causal else "")
                work = 4 * B * H * S * S * D // (2 if causal else 1)
                with sdpa_kernel([SDPBackend.MATH]):
                    ref = None if S > 4096 else torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
                for be, name in ((SDPBackend.CUDNN_ATTENTION, "cudnn"), (SDPBackend.FLASH_ATTENTION, "flash2")):
                    with sdpa_kernel([be]):
                        run("attention", case, "bf16", name, lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal), work, "TFLOP/s", ref)
                if t06:
                    qh, kh, vh = (t.half() for t in (q, k, v))
                    run("attention", case, "f16", "triton", lambda: t06.attention(qh, kh, vh, causal, D ** -0.5, False), work, "TFLOP/s", ref)


def linear(only):
    for M, N, K in ((4096, 4096, 4096), (8192, 4096, 4096)):
        x = torch.randn(M, K, device=DEV, dtype=torch.bfloat16)
        w = torch.randn(N, K, device=DEV, dtype=torch.bfloat16) * K ** -0.5
        b = torch.randn(N, device=DEV, dtype=torch.bfloat16)
        eager = lambda: torch.nn.functional.gelu(torch.nn.functional.linear(x, w, b), approximate="tanh")
        ref = torch.nn.functional.gelu(x.float() @ w.float().t() + b.float(), approximate="tanh")
        work, case = 2 * M * N * K, f"{M}x{N}x{K}"
        run("linear_gelu", case, "bf16", "torch", eager, work, "TFLOP/s", ref)
        torch._dynamo.reset()
        run("linear_gelu", case, "bf16", "torch.compile", torch.compile(eager), work, "TFLOP/s", ref)
        run("linear_gelu", case, "bf16", "cublaslt-epilogue", lambda: torch._addmm_activation(b, x, w.t(), use_gelu=True), work, "TFLOP/s", ref)


def attention_more():
    """Backward pass (FLOPs: 2.5 x forward) and decoding (bytes: K and V once)."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    sdpa = torch.nn.functional.scaled_dot_product_attention
    for D in (64, 128):
        for B, S in ((4, 4096),):
            for causal in (False, True):
                q, k, v = (torch.randn(B, 16, S, D, device=DEV, dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
                g = torch.randn(B, 16, S, D, device=DEV, dtype=torch.bfloat16)
                work = 2.5 * 4 * B * 16 * S * S * D / (2 if causal else 1)
                for be, name in ((SDPBackend.CUDNN_ATTENTION, "cudnn"), (SDPBackend.FLASH_ATTENTION, "flash2")):
                    try:
                        with sdpa_kernel([be]):
                            o = sdpa(q, k, v, is_causal=causal)
                        run("attention_backward", f"b{B}h16s{S}d{D}" + ("c" if causal else ""), "bf16", name,
                            lambda: torch.autograd.grad(o, (q, k, v), g, retain_graph=True), work, "TFLOP/s")
                    except Exception as e:
                        print(json.dumps(dict(op="attention_backward", impl=name, error=str(e)[:120])), flush=True)
    for B, S in ((16, 8192), (1, 65536), (64, 2048)):
        q = torch.randn(B, 32, 1, 128, device=DEV, dtype=torch.bfloat16)
        k, v = (torch.randn(B, 8, S, 128, device=DEV, dtype=torch.bfloat16) for _ in range(2))
        ref = sdpa(q.float(), k.float(), v.float(), enable_gqa=True)
        for be, name in ((SDPBackend.CUDNN_ATTENTION, "cudnn"), (SDPBackend.FLASH_ATTENTION, "flash2")):
            with sdpa_kernel([be]):
                run("attention_decode", f"b{B}h32kv8s{S}d128", "bf16", name, lambda: sdpa(q, k, v, enable_gqa=True), 4 * B * 8 * S * 128, "GB/s", ref)


def overheads():
    """What one launch costs the CPU, and what a first call costs: seconds on a wall clock, GPU idle."""
    n = 1024
    x, y = torch.randn(n, device=DEV), torch.randn(n, device=DEV)
    o = torch.empty_like(x)

    def wall(fn, reps=2000):
        fn(); torch.cuda.synchronize()
        t = time.perf_counter()
        for _ in range(reps):
            fn()
        dt = time.perf_counter() - t
        torch.cuda.synchronize()
        return dt / reps * 1e6
    print(json.dumps(dict(op="launch", impl="triton", us=round(wall(lambda: add_k[(1,)](x, y, o, n, B=1024)), 2))), flush=True)
    print(json.dumps(dict(op="launch", impl="torch", us=round(wall(lambda: torch.add(x, y, out=o)), 2))), flush=True)

    def first(name, fn):
        t = time.perf_counter(); fn(); torch.cuda.synchronize()
        print(json.dumps(dict(op="first_call", impl="triton", case=name, ms=round((time.perf_counter() - t) * 1e3, 1))), flush=True)
    first("add", lambda: add_k[(1,)](x, y, o, n, B=512))
    xx = torch.randn(64, 2048, device=DEV); oo = torch.empty_like(xx)
    first("softmax", lambda: softmax_k[(64,)](xx, oo, 2048, B=2048, num_warps=4))
    ww = torch.randn(2048, device=DEV)
    first("layernorm", lambda: layernorm_k[(64,)](xx, ww, ww, oo, 2048, 1e-5, B=2048, num_warps=4))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--only", default="overheads,copy,add,bias_gelu,softmax,rowsum,layernorm,rmsnorm,cross_entropy,matmul,fp8,linear,attention,attention_more")
    ap.add_argument("--triton", default="")
    args = ap.parse_args()
    only = set(args.only.split(","))
    print(json.dumps(dict(gpu=torch.cuda.get_device_name(0), torch=torch.__version__, triton=triton.__version__,
                          cudnn=torch.backends.cudnn.version())), flush=True)
    if "overheads" in only: overheads()
    memory_bound(only)
    if only & {"matmul", "fp8"}: matmul(only, args.triton)
    if "linear" in only: linear(only)
    if "attention" in only: attention(args.triton)
    if "attention_more" in only: attention_more()
