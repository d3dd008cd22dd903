import { ApiError, overloaded, unavailable } from '../model/errors.ts';
import { MessageThread } from '../threads/message-thread.ts';
import { sibling } from '../threads/sibling.ts';
import type { Json } from './json.ts';

/** A body that the thread parses. */
export interface JsonRequest {
  readonly bytes: Uint8Array;
  readonly maxValues: number;
}

/** The parsed body, or the reason why it is malformed. */
export type JsonAnswer = Json | { readonly malformed: string };

/** Bodies that may wait: each takes up to 0.1 s per 16 MiB. */
const maxWaiting = 32;

/** A thread that parses JSON which would block the main thread. It starts with the first body. */
export class JsonWorker {
  readonly #thread = new MessageThread<JsonRequest, JsonAnswer>({
    url: sibling('json-thread', import.meta),
    cannotStart: (cause) => unavailable('The body cannot be processed now. Try again.', cause),
    lost: (_, cause) => unavailable('The body could not be processed. Try again.', cause),
  });

  /**
   * Calls `parseJson` in the thread, one body after the other.
   *
   * @param bytes more than a pool of Buffer has; they are moved into the thread and lost here
   * @throws ApiError `malformed_json` (400) like `parseJson`, `overloaded` (503) if too many bodies are waiting, `unavailable`
   *   (503) if the thread fails: the next body starts another
   */
  async parse(bytes: Buffer, maxValues: number): Promise<Json> {
    if (this.#thread.pending > maxWaiting) throw overloaded('Too many large bodies are being processed.');
    const answer = await this.#thread.ask({ bytes, maxValues }, [bytes.buffer as ArrayBuffer]);
    if ('malformed' in answer) throw new ApiError('malformed_json', answer.malformed);
    return answer;
  }
}
