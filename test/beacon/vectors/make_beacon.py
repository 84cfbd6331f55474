"""Makes beacon.json: the beacon's test vectors, computed with Python's own hashlib and hmac from the protocol's words."""

import hashlib
import hmac
import json
import pathlib


def sha(data):
    return hashlib.sha256(data).digest()


def hexsha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def root(leaves):  # RFC 6962, section 2.1
    if len(leaves) == 1:
        return sha(b"\x00" + leaves[0])
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha(b"\x01" + root(leaves[:k]) + root(leaves[k:]))


def path(m, leaves):  # RFC 6962, section 2.1.1
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m < k:
        return path(m, leaves[:k]) + [root(leaves[k:])]
    return path(m - k, leaves[k:]) + [root(leaves[:k])]


def numbers(text):
    i = 0
    while True:
        i += 1
        yield int(hexsha(f"{text},{i}"), 16)


def below(source, n):
    for h in source:
        if h < 2**256 // n * n:
            return h % n


def shuffle(text, items):
    source, items = numbers(text), list(items)
    for k in range(len(items) - 1):
        j = k + below(source, len(items) - k)
        items[k], items[j] = items[j], items[k]
    return items


secret = bytes(range(32))
labels = ["", "lunch", "a:b,c", "Größe 🎲"]
rounds = []
for n in (0, 1, 29539440, 29539441):
    seed = hmac.new(secret, f"round:{n}".encode(), hashlib.sha256).hexdigest()
    draws = []
    for label in labels:
        digest = hexsha(f"{seed}:{label}")
        draws.append(
            {
                "label": label,
                "hex": digest,
                "float": int(digest[:13], 16) / 2**52,
                "coin": "heads" if int(digest[:2], 16) % 2 else "tails",
                "ints": [
                    {"from": a, "to": b, "result": a + below(numbers(digest), b - a + 1)}
                    for a, b in ((1, 6), (0, 0), (-3, 3), (1, 1000), (-(10**15) + 1, 10**15 - 1))
                ],
                "shuffle": {"items": list("abcdefg"), "result": shuffle(digest, "abcdefg")},
            }
        )
    rounds.append({"round": n, "seed": seed, "commit": hexsha(seed), "draws": draws})

trees = []
for size in (1, 2, 3, 5, 6, 7, 8, 13, 1440):
    leaves = [sha(f"leaf {i}".encode()) for i in range(size)]
    proofs = [{"index": m, "path": [h.hex() for h in path(m, leaves)]} for m in sorted({0, size // 2, size - 1})]
    trees.append({"leaves_are": "SHA-256 of 'leaf <i>'", "size": size, "root": root(leaves).hex(), "proofs": proofs})

vectors = {"secret": secret.hex(), "rounds": rounds, "trees": trees}
pathlib.Path(__file__).with_name("beacon.json").write_text(json.dumps(vectors, indent=1, ensure_ascii=False) + "\n")
