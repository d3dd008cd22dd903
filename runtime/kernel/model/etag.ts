/** The ETag of a record with this version (RFC 9110, 8.8.3). */
export const etagOf = (version: number): string => `"${version}"`;
