#!/usr/bin/env python3
"""Verifies exported audit records (drivemcp audit export) with nothing but this file and the standard library.
hash = SHA-256(prev_hash as 32 raw bytes || JCS(record without hash)), JCS = RFC 8785. Usage: verify_chain.py < F"""
import decimal, hashlib, json, sys

def number(x):  # ECMAScript Number::toString, from the shortest digits that repr gives
    sign, digits, exponent = decimal.Decimal(repr(x or 0.0)).normalize().as_tuple()
    d, n = "".join(map(str, digits)), len(digits) + exponent
    if len(d) <= n <= 21:
        text = d + "0" * (n - len(d))
    elif 0 < n <= 21:
        text = d[:n] + "." + d[n:]
    elif -6 < n <= 0:
        text = "0." + "0" * -n + d
    else:
        text = d[0] + ("." + d[1:] if len(d) > 1 else "") + "e" + ("+" if n > 0 else "-") + str(abs(n - 1))
    return "-" * sign + text

def jcs(v):
    if isinstance(v, dict):
        keys = sorted(v, key=lambda k: k.encode("utf-16-be"))
        return "{" + ",".join(json.dumps(k, ensure_ascii=False) + ":" + jcs(v[k]) for k in keys) + "}"
    if isinstance(v, list):
        return "[" + ",".join(map(jcs, v)) + "]"
    return number(float(v)) if type(v) in (int, float) else json.dumps(v, ensure_ascii=False)

last = None
for n, line in enumerate(sys.stdin.buffer, 1):
    r = json.loads(line)
    given, text = r.pop("hash"), jcs(r)
    whole = jcs({**r, "hash": given}) == line.decode("utf-8").rstrip("\n")
    made = hashlib.sha256(bytes.fromhex(r["prev_hash"]) + text.encode("utf-8")).hexdigest()
    start = r["seq"] == 1 and r["prev_hash"] in ("0" * 64, last[2] if last else "")
    follows = (r["epoch"], r["seq"] - 1, r["prev_hash"]) == last or not last and r["seq"] > 1
    new = start and (not last or r["epoch"] > last[0])
    if not (whole and made == given and (follows or new)):
        sys.exit(f"line {n}: record {r['epoch']}/{r['seq']} does not fit the chain")
    last = (r["epoch"], r["seq"], given)
print(f"{n} records fit, head {last[2]}" if last else "no records")
