/** Reads JSON from the API in its turn: few requests of the page are under way at once. @throws as `Api` does */
export type Read = <T>(path: string, signal: AbortSignal) => Promise<T>;
