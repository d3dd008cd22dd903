import type { RequestKey } from './response.ts';
import { Repeats } from './repeats.ts';
import type { Route } from './route.ts';

/** The levels of `LOG_LEVEL`: each one logs itself and those after it. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

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

/** The line of a request besides its route. No field has a character that JSON escapes. */
interface RequestFields {
  readonly requestId: string;
  readonly status: number;
  /** From its headers to the end of the response. */
  readonly milliseconds: number;
  /** The length of the response's body. */
  readonly bytes: number;
  /** The error code of a problem. */
  readonly code: string | undefined;
  /** The key of the request, if it was valid. */
  readonly principal: RequestKey | undefined;
  /** The connection ended before the response did. */
  readonly isAborted: boolean;
}

interface Event {
  readonly level: EventLevel;
  readonly message: string;
  readonly fields: Fields;
}

/** The output of the log. */
export interface LogTarget {
  event(level: EventLevel, message: string, fields: Fields): void;
  /** One line for each request; undefined if the level leaves them out. */
  readonly request: ((route: Route, fields: RequestFields) => void) | undefined;
}

/** For the commands, and a server that has not read its settings yet: warnings and errors. */
const consoleTarget: LogTarget = {
  event: (level, message, { err }) => {
    if (level === 'warn' || level === 'error') console.error(...(err === undefined ? [message] : [message, err]));
  },
  request: undefined,
};

let target = consoleTarget;

const repeats = new Repeats<Event>(({ level, message, fields }, count) =>
  target.event(level, message, count === 1 ? fields : { ...fields, count }),
);

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
    repeats.note(`${level} ${message}`, { level, message, fields });
  },

  get request(): LogTarget['request'] {
    return target.request;
  },
};

/** Opens the log of a server: before that, events are printed on the console. */
export async function openLog(level: LogLevel): Promise<void> {
  // Loaded on demand: the commands do without.
  target = level === 'silent' ? { event: () => {}, request: undefined } : (await import('./pino.ts')).pinoTarget(level);
  process.once('exit', () => repeats.flush());
}
