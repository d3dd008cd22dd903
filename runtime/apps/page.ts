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

/** The beginning of a page of the service, up to its styles and scripts. Its URLs are relative to the root. */
export const pageHead = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="console/icon.svg">`;
