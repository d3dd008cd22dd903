import { EventEmitter } from 'node:events';

import type { Caller } from '../../runtime/api/waiter.ts';

/** A request for which something large is done, without a server. */
export class TestCaller implements Caller {
  readonly client: string;
  readonly patience: number;
  readonly outgoing = Object.assign(new EventEmitter(), { closed: false }) as unknown as Caller['outgoing'];

  constructor(client: string, patience = Infinity) {
    this.client = client;
    this.patience = patience;
  }

  /** Its connection closes. */
  leave(): void {
    (this.outgoing as unknown as EventEmitter).emit('close');
  }
}
