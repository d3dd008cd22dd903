'use strict';
// Loaded before anything else, in a syntax that the oldest Node understands.
var major = Number(process.versions.node.split('.')[0]);
if (major < 26) {
  var advice = '. Install a newer one, or run `npm ci` without --omit=dev: it brings Node 26 along.';
  console.error('This project needs Node 26 or newer; this is Node ' + process.versions.node + advice);
  process.exit(1);
}
// The compile cache serves the next start, and the threads and processes of this one: it saves a third of the time, and
// the memory of the TypeScript compiler.
if (!process.env.NODE_COMPILE_CACHE) {
  var path = require('node:path');
  var folder = path.sep + 'node_modules' + path.sep;
  var at = __dirname.lastIndexOf(folder);
  var modules = at === -1 ? path.join(__dirname, '../../node_modules') : __dirname.slice(0, at + folder.length);
  process.env.NODE_COMPILE_CACHE = path.join(modules, '.cache/node-compile');
}
require('node:module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
