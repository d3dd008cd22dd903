import { shorten } from '../../kernel/model/text.ts';
import type { Running } from '../../kernel/running.ts';
import type { Receiver } from './receivers.ts';

/** Takes the events of a database to receivers of one kind. */
export interface Courier {
  /** Whether it can take events to a receiver: receivers without a courier wait for a process that has one. */
  serves(receiver: Receiver): boolean;
  /** How many events it takes at once to all receivers with the same URL, if that is limited. */
  readonly maxAtOnce?: number;
  /** Makes an attempt, which has a limit of time. */
  take(receiver: Receiver, message: Message): Promise<Outcome>;
}

/** A message about an event. */
export interface Message {
  /** The same in each attempt. */
  readonly id: string;
  readonly body: string;
}

/** The end of an attempt. */
export interface Outcome {
  /** Waiting: for the next attempt. Failed: there is no message to send any more. */
  readonly state: 'delivered' | 'waiting' | 'failed';
  /** The answer of the receiver, or why there is none. */
  readonly answer: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** A courier for the thread that sends: its module exports `courierOf`, which makes it of the data. */
export interface CourierData {
  readonly module: string;
  readonly data: unknown;
}

const couriers = new WeakMap<Running, CourierData[]>();

/** The couriers of a process of a server. */
export const couriersOf = (running: Running): CourierData[] => couriers.getOrInsertComputed(running, () => []);

/** The reason of a failure, as it is stored: the error of several addresses has no message. */
export const reasonOf = ({ message, code }: NodeJS.ErrnoException): string =>
  shorten((message || String(code)).replaceAll(/\p{C}+/gu, ' '));
