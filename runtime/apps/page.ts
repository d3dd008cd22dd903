/**
 * The headers of a page: it asks this server alone, runs nothing that is not a file of it, and is in no frame.
 *
 * @param directives further ones of its Content-Security-Policy
 */
export const pageHeaders = (directives: readonly string[] = []): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...directives,
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
});

/** A text inside HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
