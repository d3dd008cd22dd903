'use strict';
// Loaded before anything else, in words that the oldest Node understands.
var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    'This server needs Node 24 or newer; this is Node ' +
      process.versions.node +
      '. Run `npm ci` (it brings the right Node along) and `npm start`.',
  );
  process.exit(1);
}
