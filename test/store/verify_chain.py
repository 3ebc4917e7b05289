#!/usr/bin/env python3
"""Verifies exported audit records (drivemcp audit export) with nothing but this file and the standard library.
hash = SHA-256(prev_hash as 32 raw bytes || JCS(record without hash)), JCS = RFC 8785. Usage: verify_chain.py < F"""
import decimal, hashlib, json, re, sys

def number(x):  # ECMAScript Number::toString, from the shortest digits that repr gives
    sign, digits, exponent = decimal.Decimal(repr(x or 0.0)).normalize().as_tuple()
    d, n = "".join(map(str, digits)), len(digits) + exponent
    text = d + "0" * (n - len(d)) if len(d) <= n <= 21 else d[:n] + "." + d[n:] if 0 < n <= 21 else ""
    text = text or ("0." + "0" * -n + d if -6 < n <= 0 else d[0] + "." * (len(d) > 1) + d[1:] + f"e{n - 1:+d}")
    return "-" * sign + text

def jcs(v):
    if isinstance(v, dict):
        keys = sorted(v, key=lambda k: k.encode("utf-16-be"))
        return "{" + ",".join(json.dumps(k, ensure_ascii=False) + ":" + jcs(v[k]) for k in keys) + "}"
    if isinstance(v, list):
        return "[" + ",".join(map(jcs, v)) + "]"
    return number(float(v)) if type(v) in (int, float) else json.dumps(v, ensure_ascii=False)

def follow(line, last):  # (epoch, seq, hash) of a record that is whole and comes next; else False or an exception
    r = json.loads(line)
    given, body, kind, prev, *rest = [r[k] for k in "hash body kind prev_hash epoch seq tick mono_us wall_ms".split()]
    (epoch, seq, tick), times = rest[:3], rest[3:]
    typed = len(r) == 9 and type(body) is dict and all(type(x) is int and abs(x) < 2**53 for x in rest[:3])
    typed = typed and min(epoch, seq, tick + 2) > 0 and all(type(x) in (int, float) for x in times) and kind in KINDS
    made = hashlib.sha256(bytes.fromhex(prev) + jcs({k: r[k] for k in r if k != "hash"}).encode()).hexdigest()
    whole = made == given and re.fullmatch("[0-9a-f]{64}", prev) and jcs(r) == line.decode().removesuffix("\n")
    first, lost = (epoch, seq) == (1, 1), epoch > 1 == seq and (kind, body.get("event"), body.get("linked")) == LOST
    linked = first or lost and body["linked"] is False if prev == "0" * 64 else prev == last[2] if last else not first
    order = not last or (epoch, seq - 1) == last[:2] or (epoch - 1, seq) == (last[0], 1)
    return typed and whole and linked and order and (epoch, seq, given)

last, KINDS, LOST = None, "decision act mode source rulepack heartbeat run store".split(), ("store", "epoch_started", False)
for n, line in enumerate(sys.stdin.buffer, 1):
    try:
        last = follow(line, last) or sys.exit(f"line {n}: this record does not fit the chain")
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        sys.exit(f"line {n}: not an audit record")
print(f"{n} records fit, head {last[2]}" if last else sys.exit("no records"))
