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
if (!process.env.NODE_COMPILE_CACHE) {
  var path = require('node:path');
  var folder = path.sep + 'node_modules' + path.sep;
  var at = __dirname.lastIndexOf(folder);
  var modules = at === -1 ? path.join(__dirname, '../../node_modules') : __dirname.slice(0, at + folder.length);
  process.env.NODE_COMPILE_CACHE = path.join(modules, '.cache/node-compile');
}
require('node:module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
if (/[\\/]server\.ts$/.test(process.argv[1])) {
  var folderOfServer = process.argv[1].replace(/server\.ts$/, '');
  explainDamage(folderOfServer);
  // Processes and threads of a server have its environment.
  if (require('node:worker_threads').isMainThread && require('node:cluster').isPrimary) {
    requireWhole(folderOfServer);
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
  console.error(require('node:path').relative('', generated) + cause + 'Run `npm run generate`.');
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

/** Says which generated file cannot be loaded, as after a conflict in a merge, instead of a stack trace. */
function explainDamage(generated) {
  process.on('uncaughtException', function explain(error) {
    var url = require('node:url').pathToFileURL(generated).href;
    var place = String(placeOf(error)).replaceAll(url, generated);
    var start = place.indexOf(generated);
    if (start === -1) {
      process.off('uncaughtException', explain);
      // Node reports it as it does without a listener.
      process.nextTick(function () {
        throw error;
      });
      return;
    }
    var file = require('node:path').relative('', /^[^\n:'"]*/.exec(place.slice(start))[0]);
    var cause = 'It, or a file that it imports, is missing or damaged: run `npm run generate`.';
    console.error(file + ' cannot be loaded. ' + cause);
    process.exit(1);
  });
}

/** The text that names the file, if one could not be loaded; the stack names the caller as well. */
function placeOf(error) {
  if (error instanceof SyntaxError)
    return require('node:util')
      .inspect(error)
      .split(/\n\s+at /)[0];
  if (!(error instanceof Error)) return undefined;
  return { ENOENT: error.path, ERR_MODULE_NOT_FOUND: error.url, MODULE_NOT_FOUND: error.message }[error.code];
}
