/** A random whole number from 0 to below the limit. */
export type Random = (limit: number) => number;

/** Random numbers (xorshift) that are the same for the same seed, a whole number. */
export function randomFrom(seed: number): Random {
  // Neighbouring seeds must not begin alike, and a state of 0 would stay 0.
  let state = Math.imul(seed + 1, 0x9e3779b1) || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * limit);
  };
}
