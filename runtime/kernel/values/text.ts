/** The number of code points. By the units of UTF-16: iterating over the code points of a long text takes several times as long. */
export function size(value: string): number {
  let pairs = 0;
  for (let i = 1; i < value.length; i++) {
    if ((value.charCodeAt(i) & 0xfc00) === 0xdc00 && (value.charCodeAt(i - 1) & 0xfc00) === 0xd800) pairs++;
  }
  return value.length - pairs;
}

/** Compares by code points, as lists sort: less than 0 if `a` comes before `b`, 0 if they are equal, and more than 0 otherwise. */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left === right) continue;
    // Surrogates stand for code points behind those of all other units.
    const [isPair, isOtherPair] = [left, right].map((unit) => (unit & 0xf800) === 0xd800);
    return isPair === isOtherPair ? left - right : Number(isPair) - Number(isOtherPair);
  }
  return a.length - b.length;
}
