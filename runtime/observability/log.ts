import { maxRepeats, repeatInterval } from './limits.ts';
import type { TracedResponse } from './response.ts';
import type { Route } from './route.ts';

/** The levels of `LOG_LEVEL`: each one logs itself and those after it. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

type LogLevel = (typeof logLevels)[number];

export type EventLevel = Exclude<LogLevel, 'silent'>;

/** The details of an event besides its message. Never a key, a body or a value of a record. */
export interface Fields {
  readonly request_id?: string;
  readonly method?: string;
  readonly route?: string;
  readonly code?: string;
  /** The IP address of a client. */
  readonly address?: string;
  /** The id of an API key of the key table. */
  readonly key?: string;
  /** The number of events that this one stands for, where there were several. */
  readonly count?: number;
  readonly err?: unknown;
}

/** The output of the log. */
export interface LogTarget {
  event(level: EventLevel, message: string, fields: Fields): void;
  /** One line for each request; undefined if the level leaves them out. */
  readonly request:
    ((route: Route, status: number, milliseconds: number, response: TracedResponse) => void) | undefined;
}

/** For the commands, and a server that has not read its settings yet: warnings and errors. */
const consoleTarget: LogTarget = {
  event: (level, message, { err }) => {
    if (level === 'warn' || level === 'error') console.error(...(err === undefined ? [message] : [message, err]));
  },
  request: undefined,
};

let target = consoleTarget;

interface Repeat {
  level: EventLevel;
  message: string;
  fields: Fields;
  /** The events since the last line. */
  count: number;
}

const repeats = new Map<string, Repeat>();

function logRepeat(repeat: Repeat): void {
  const { level, message, fields, count } = repeat;
  if (count > 0) target.event(level, message, count === 1 ? fields : { ...fields, count });
  repeat.count = 0;
}

/** Forgets an event that has not come again. */
function endInterval(key: string, repeat: Repeat): void {
  if (repeat.count === 0) return void repeats.delete(key);
  logRepeat(repeat);
  setTimeout(endInterval, repeatInterval, key, repeat).unref();
}

const event =
  (level: EventLevel) =>
  (message: string, fields: Fields = {}): void =>
    target.event(level, message, fields);

/** The log of this process: events of the server, as opposed to what a command prints for who has called it. */
export const log = {
  debug: event('debug'),
  info: event('info'),
  warn: event('warn'),
  error: event('error'),

  /** An event that a client can cause as often as it likes: one line a second for each message, with a count. */
  repeated(level: EventLevel, message: string, fields: Fields): void {
    const key = repeats.size < maxRepeats || repeats.has(message) ? message : '';
    const known = repeats.get(key);
    const repeat = Object.assign(known ?? { count: 0 }, { level, message, fields });
    repeat.count++;
    if (known) return;
    repeats.set(key, repeat);
    endInterval(key, repeat);
  },

  get request(): LogTarget['request'] {
    return target.request;
  },
};

/** Opens the log of a server: before that, events are printed on the console. */
export async function openLog(level: LogLevel): Promise<void> {
  // Loaded on demand: the commands do without.
  target = level === 'silent' ? { event: () => {}, request: undefined } : (await import('./pino.ts')).pinoTarget(level);
  process.once('exit', () => repeats.forEach(logRepeat));
}
