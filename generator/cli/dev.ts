import { join } from 'node:path';
import { onStopSignal } from '../../runtime/commands/stop.ts';
import { describeSave } from '../changes/save.ts';
import { generate } from '../generate.ts';
import type { Service } from '../model/model.ts';
import { folders, generatedFile, isHooksFile } from '../read/paths.ts';
import { readSpecs } from '../read/spec-files.ts';
import { runCommand } from './command.ts';
import { messageOf } from '../read/system-error.ts';
import { hasErrors, reports } from './report.ts';
import { ServerProcess, whyNotStart } from './server-process.ts';
import { update } from './update.ts';
import { watchFolder } from './watch.ts';

const help = `Generates, serves, and follows every save of the spec: regenerates, says what the edit changes, and restarts
the server.

Usage: npm run dev

The settings are those of \`npm start -- --help\`.

Options:
  --help, -h  prints this

Examples:
  npm run dev  serves on http://127.0.0.1:3000
`;

/** Editors save a file in several steps: changes within this many milliseconds are one save. */
const oneSave = 10;

const root = process.cwd();
const serverFile = join(root, generatedFile('server.ts'));
/** The last service without errors. */
let service: Service | undefined;

let server: ServerProcess | undefined;
let stopping = false;
/** Whether the last save was right. */
let wasValid = true;

/** The hooks of the last save, as one text. */
let lastHooks = '';

/** Generates, and says what the spec changes: `valid` says whether the files match the spec now, and `changed` whether the server is another one. */
async function regenerate(): Promise<{ valid: boolean; changed: boolean }> {
  try {
    const specs = readSpecs(root);
    const generated = await generate(specs);
    const report = { ...update(root, generated), foreign: [] };
    reports.text(report, specs);
    const { blocked, written, removed } = report;
    const hooks = [...specs].flatMap(([path, text]) => (isHooksFile(path) ? [path, text] : [])).join('\n');
    const isChanged = written.length + removed.length > 0 || hooks !== lastHooks;
    lastHooks = hooks;
    if (service && generated.service) for (const line of describeSave(service, generated.service)) console.log(line);
    service = generated.service ?? service;
    return { valid: !hasErrors(report) && blocked.length === 0, changed: isChanged };
  } catch (error) {
    const bug = (): string => `The generator has failed. ${(error as Error).stack ?? String(error)}`;
    console.error(messageOf(error) ?? bug());
    return { valid: false, changed: false };
  }
}

function start(): void {
  // A restart serves where the first one did, with the same key, unless the port is any free one.
  const showsKey = server === undefined || process.env['PORT'] === '0';
  const started = new ServerProcess(serverFile, showsKey, (reason) => {
    if (server === started) server = undefined;
    console.error(`The server ${reason}; it restarts when a spec is saved.`);
  });
  server = started;
}

/** Whether the server has the spec of an earlier save, as it would not start with the last one. */
let isBehind = false;

let running = Promise.resolve();
let isWaiting = false;

/** Follows a save: one at a time, and at most one more waits. */
function follow(): void {
  if (isWaiting || stopping) return;
  isWaiting = true;
  running = running.then(async () => {
    isWaiting = false;
    if (stopping) return;
    const { valid, changed } = await regenerate();
    if (valid && !wasValid && !changed)
      console.log(`${folders.spec}/ has no errors any more; ${folders.generated}/ is up to date.`);
    wasValid = valid;
    if (!valid || (server && !changed && !isBehind)) return;
    const why = server && (await whyNotStart(serverFile));
    isBehind = why !== undefined;
    if (why !== undefined) {
      console.error(`${why}\nThe server goes on with the spec before this save, and tries again when a spec is saved.`);
      return;
    }
    await server?.stop();
    if (!stopping) start();
  });
}

async function begin(): Promise<void> {
  wasValid = (await regenerate()).valid;
  if (!wasValid) console.error('Waiting for the spec to be fixed.');
  else if (!stopping) start();
}

/** Serves and follows the spec, until a signal stops it. */
async function run(): Promise<number> {
  onStopSignal(
    async () => {
      stopping = true;
      await server?.stop();
      return 0;
    },
    () => {
      server?.kill();
      process.exit(1);
    },
  );
  // From a terminal that closes.
  process.on('SIGHUP', () => process.kill(process.pid, 'SIGTERM'));
  // However else this process ends; where it is killed, the server notices that itself.
  process.on('exit', () => server?.terminate());

  let timer: NodeJS.Timeout | undefined;
  watchFolder(join(root, folders.spec), () => {
    clearTimeout(timer);
    timer = setTimeout(follow, oneSave);
  });

  running = begin();
  await running;
  return 0;
}

await runCommand({ help }, run);
