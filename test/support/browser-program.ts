/** Debian's Chromium; `TEST_CHROMIUM` names another one. */
export const browserProgram = process.env['TEST_CHROMIUM'] || '/usr/bin/chromium';

/** The browser sends requests to the server under test only, not to its vendor. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
