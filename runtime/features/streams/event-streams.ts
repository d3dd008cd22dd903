import type { ServerResponse } from 'node:http';
import type { Principal } from '../../kernel/api/service.ts';
import { overloaded } from '../../kernel/model/errors.ts';
import { EventFeed } from './event-feed.ts';
import { maxEventStreams } from './limits.ts';

/** A stream of events that a client has open. */
export interface EventStream {
  readonly feed: EventFeed;
  /** Whether it sends nothing more: another one has its place, or the client has left. */
  isOver: boolean;
}

type Holder = Pick<Principal, 'name' | 'organization'>;

/** The streams of events that the clients of this process have open. */
export class EventStreams {
  /** The oldest first. */
  readonly #open = new Map<EventStream, Holder>();
  /** By organization. */
  readonly #feeds = new Map<number, EventFeed>();

  /**
   * Opens a stream. A key that has its share of them open, and an organization that has half of those that the others leave free,
   * lose their oldest one.
   *
   * @throws ApiError `overloaded` (503) if the organization has none, and none is free
   */
  open({ name, organization, records }: Principal, outgoing: ServerResponse): EventStream {
    const of = (isOf: (holder: Holder) => boolean): EventStream[] =>
      [...this.#open].flatMap(([stream, holder]) => (isOf(holder) ? [stream] : []));
    const ofKey = of((holder) => holder.name === name);
    const ofOrganization = of((holder) => holder.organization === organization);
    const free = maxEventStreams - (this.#open.size - ofOrganization.length);
    if (ofKey.length >= maxEventStreams / 4 || ofOrganization.length >= free / 2) {
      const [oldest] = ofKey.length > 0 ? ofKey : ofOrganization;
      if (!oldest) throw overloaded('Too many streams of events are open.');
      this.#close(oldest);
    }
    const feed = this.#feeds.getOrInsertComputed(organization, () => new EventFeed(records));
    feed.join();
    const stream = { feed, isOver: false };
    this.#open.set(stream, { name, organization });
    const close = (): void => this.#close(stream);
    // A client that has ended its side, as one does that closes the connection, has left: to find out by writing takes long.
    const leave = (): void => void outgoing.destroy();
    const { socket } = outgoing.req;
    if (socket.readableEnded) leave();
    socket.once('end', leave);
    outgoing.once('close', () => {
      socket.off('end', leave);
      close();
    });
    // It may have closed before: while its key or the events were looked up.
    if (outgoing.closed) close();
    return stream;
  }

  #close(stream: EventStream): void {
    stream.isOver = true;
    const holder = this.#open.get(stream);
    if (!holder) return;
    this.#open.delete(stream);
    if (stream.feed.leave()) this.#feeds.delete(holder.organization);
  }
}
