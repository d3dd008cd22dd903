/** Runs servers in this process, one after the other, as `TestServer` asks for them. */
import { stopSignals } from '../../runtime/commands/stop.ts';

/** A server to run: the path of its program, and its environment. */
export interface Job {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

let runs = 0;
let isServing = false;

/** A server ends its process last. Here, the next one can begin. */
function end(code = process.exitCode ?? 0): void {
  if (!isServing) return;
  isServing = false;
  process.emit('exit', Number(code));
  for (const event of ['exit', ...stopSignals]) process.removeAllListeners(event);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  process.send?.(code);
}

process.exit = end as typeof process.exit;

process.on('message', ({ program, env }: Job) => {
  isServing = true;
  process.exitCode = 0;
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  // Under another name each time: it runs anew, while what it imports is there.
  void import(`file://${program}?run=${(runs += 1)}`);
});
