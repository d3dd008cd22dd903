'use strict';
// Loaded before anything else, in a syntax that the oldest Node understands.
var major = Number(process.versions.node.split('.')[0]);
if (major < 26) {
  var advice = require('fs').existsSync('node_modules/node/package.json')
    ? '. Run it by `npx` or `npm run`: they use the Node 26 of the project.'
    : '. Install a newer one, or run `npm ci` without --omit=dev: it brings Node 26 along.';
  console.error('This project needs Node 26 or newer; this is Node ' + process.versions.node + advice);
  process.exit(1);
}
// The compile cache serves the next start, and the threads and processes of this one: it saves a third of the time, and
// the memory of the TypeScript compiler.
var path = require('node:path');
if (!process.env.NODE_COMPILE_CACHE) {
  var folder = path.sep + 'node_modules' + path.sep;
  var at = __dirname.lastIndexOf(folder);
  var modules = at === -1 ? path.join(__dirname, '../../node_modules') : __dirname.slice(0, at + folder.length);
  process.env.NODE_COMPILE_CACHE = path.join(modules, '.cache/node-compile');
}
require('node:module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
if (/[\\/]server\.ts$/.test(process.argv[1])) {
  // Processes and threads of a server have its environment.
  if (require('node:worker_threads').isMainThread && require('node:cluster').isPrimary) {
    requireWhole(path.dirname(process.argv[1]));
    readEnvironment();
  }
}

/** Ends the process if the generator has not ended: its files may be of two versions. */
function requireWhole(generated) {
  var fs = require('fs');
  if (!fs.existsSync(generated)) return;
  // The generator removes this folder once the last file is in its place.
  var staging = fs.readdirSync(generated).find(function (name) {
    return name.startsWith('.writing-');
  });
  if (staging === undefined) return;
  var cause = ' may be a mixture of two versions: the generator was interrupted, or is still running. ';
  console.error(path.relative('', generated) + cause + 'Run `npm run generate`.');
  process.exit(1);
}

/** Adds the variables of the file .env to the environment, or ends the process if it cannot be read. */
function readEnvironment() {
  if (!require('fs').existsSync('.env') || /^(-h|--help)$/.test(process.argv[process.argv.length - 1])) return;
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    console.error('.env cannot be read: ' + error.message);
    process.exit(1);
  }
}
