const etags = new WeakMap<object, string>();

/** Notes the ETag of a record, as its property `etag` too: not enumerable, so that neither JSON nor a copy has it. */
export function noteEtag(record: object, etag: string): void {
  etags.set(record, etag);
  if (!Object.hasOwn(record, 'etag')) Object.defineProperty(record, 'etag', { value: etag });
}

/** The ETag that a record has come with, also if it has a field of that name. */
export const etagOf = (record: object): string | undefined => etags.get(record);
