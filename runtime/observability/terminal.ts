import { styleText } from 'node:util';

const levels = { debug: 'dim', warn: 'yellow', error: 'red' } as const;

const colorOf = (status: number): 'red' | 'yellow' | 'green' =>
  status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';

/**
 * A line of the log for people: of a request `12:30:05 GET /api/crm/lead/:id 200 1.2 ms 1402 B`, of others the message.
 *
 * @param stream where it is written: in color if that is a terminal with colors, and NO_COLOR is not set
 */
export function describeLine(line: string, stream: NodeJS.WritableStream): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string => styleText(style, text, { stream });
  const { level, time, msg, method, route, status, ms, bytes, err, pid: _, ...others } = JSON.parse(line);
  const parts: unknown[] = [new Date(time).toTimeString().slice(0, 8)];
  if (Object.hasOwn(levels, level)) parts.push(paint(levels[level as keyof typeof levels], level));
  if (msg !== undefined) parts.push(msg);
  if (method !== undefined) parts.push(method, route);
  if (status !== undefined) parts.push(paint(colorOf(status), String(status)), `${ms.toFixed(1)} ms`, `${bytes} B`);
  // The request id is for the programs that read a log; here it only matters where something is wrong.
  if (status < 400) delete others.request_id;
  for (const [name, value] of Object.entries(others)) parts.push(paint('dim', `${name}=${String(value)}`));
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
