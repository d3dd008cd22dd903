const levels: Readonly<Record<string, string>> = {
  debug: '\x1B[2mdebug\x1B[0m',
  warn: '\x1B[33mwarn\x1B[0m',
  error: '\x1B[31merror\x1B[0m',
};

const colorOf = (status: number): number => (status >= 500 ? 31 : status >= 400 ? 33 : 32);

/** A line of the log for people: of a request `12:30:05 GET /api/crm/lead/:id 200 1.2 ms 1402 B`, of others the message. */
export function describeLine(line: string): string {
  const { level, time, msg, method, route, status, ms, bytes, err, pid: _, ...others } = JSON.parse(line);
  const parts: unknown[] = [new Date(time).toTimeString().slice(0, 8)];
  if (levels[level] !== undefined) parts.push(levels[level]);
  if (msg !== undefined) parts.push(msg);
  if (method !== undefined) parts.push(method, route);
  if (status !== undefined) parts.push(`\x1B[${colorOf(status)}m${status}\x1B[0m`, `${ms.toFixed(1)} ms`, `${bytes} B`);
  // The request id is for the programs that read a log; here it only matters where something is wrong.
  if (status < 400) delete others.request_id;
  for (const [name, value] of Object.entries(others)) parts.push(`\x1B[2m${name}=${String(value)}\x1B[0m`);
  return `${parts.join(' ')}\n${err === undefined ? '' : describeError(err)}`;
}

interface LoggedError {
  readonly stack?: string;
  readonly cause?: LoggedError | string;
}

function describeError(error: LoggedError | string): string {
  if (typeof error === 'string') return `  ${error}\n`;
  const { stack = '', cause } = error;
  return `${stack.replaceAll(/^/gm, '  ')}\n${cause === undefined ? '' : describeError(cause)}`;
}
