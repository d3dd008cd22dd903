/** A content coding that answers can have. */
export type Coding = 'br' | 'gzip';

/** A weight (RFC 9110, 12.4.2): from 0 to 1, with at most three decimals. */
const weight = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** The weights of an Accept-Encoding header by content coding. A malformed element is left out. */
function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const [name = '', parameter, ...more] = element.split(';').map((part) => part.trim());
    const value = parameter === undefined ? '1' : weight.exec(parameter)?.[1];
    if (value === undefined || more.length > 0) continue;
    const coding = name.toLowerCase();
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(value));
  }
  return weights;
}

/**
 * Chooses the content coding that a client prefers (RFC 9110, 12.5.3).
 *
 * @param header its Accept-Encoding
 * @param available the best first: it is taken where the client has no preference
 * @returns undefined for no coding, also where the client accepts nothing that there is
 */
export function chooseCoding(header: string | undefined, available: readonly Coding[]): Coding | undefined {
  if (!header) return undefined;
  const weights = weightsOf(header);
  const others = weights.get('*') ?? 0;
  let best: Coding | undefined;
  // Without a weight of its own, no coding is what is left: anything that is accepted is better.
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of available) {
    const own = weights.get(coding) ?? others;
    if (own > bestWeight || (own === bestWeight && own > 0 && best === undefined)) {
      best = coding;
      bestWeight = own;
    }
  }
  return best;
}
