/**
 * The SHA-256 of a text in UTF-8, in hexadecimal digits (FIPS 180-4). For short texts: `node:crypto` hashes faster, but
 * takes 10 ms of processor time to load, and every recorded command has one to hash.
 */
export function sha256(text: string): string {
  const bytes = padded(Buffer.from(text));
  const { start, rounds } = constants();
  let hash = start;
  for (let at = 0; at < bytes.length; at += 64) hash = withBlock(hash, scheduleOf(bytes, at), rounds);
  return [...hash].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** The bytes, a bit that is 1, zeros, and the number of bits: a multiple of 64 bytes. */
function padded(bytes: Buffer): Buffer {
  const all = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  bytes.copy(all);
  all[bytes.length] = 0x80;
  all.writeBigUInt64BE(BigInt(bytes.length) * 8n, all.length - 8);
  return all;
}

/** The first hash and the constants of the rounds: the first 32 bits of the fractions of roots of primes. */
function constants(): { readonly start: Uint32Array; readonly rounds: Uint32Array } {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  const fraction = (root: number): number => (root - Math.floor(root)) * 2 ** 32;
  return {
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  };
}

/** The 64 words that a block of 64 bytes is made into. */
function scheduleOf(bytes: Buffer, at: number): Uint32Array {
  const words = new Uint32Array(64);
  for (let index = 0; index < 16; index++) words[index] = bytes.readUInt32BE(at + 4 * index);
  const word = (index: number): number => words[index] ?? 0;
  for (let index = 16; index < 64; index++) {
    const [late, early] = [word(index - 2), word(index - 15)];
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = word(index - 16) + (small >>> 0) + word(index - 7) + (large >>> 0);
  }
  return words;
}

/** The hash after one more block. */
function withBlock(hash: Uint32Array, schedule: Uint32Array, rounds: Uint32Array): Uint32Array {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let index = 0; index < 64; index++) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const ofE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const ofA = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const one = h + (ofE >>> 0) + (chosen >>> 0) + (rounds[index] ?? 0) + (schedule[index] ?? 0);
    const other = (ofA >>> 0) + (most >>> 0);
    h = g;
    g = f;
    f = e;
    e = (d + one) >>> 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) >>> 0;
  }
  const added = [a, b, c, d, e, f, g, h];
  return hash.map((word, index) => word + (added[index] ?? 0));
}

/** 32 bits turned to the right. */
function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
