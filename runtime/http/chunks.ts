import type { ServerResponse } from 'node:http';

/** Bytes that are given to the socket at a time. */
const sliceBytes = 262_144;

/**
 * Sends JSON that is too long to be held at once. The next piece is asked for when the client has taken the last one,
 * and the memory of a piece is given back at once, not when the garbage collector gets to it: 100 records of 10 MiB
 * would pile up until then. A client that hangs up ends the sending.
 */
export async function sendPieces(
  outgoing: ServerResponse,
  start: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  end: string,
): Promise<void> {
  outgoing.writeHead(200, { 'Content-Type': 'application/json' });
  outgoing.write(start);
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += sliceBytes) await write(outgoing, piece.subarray(at, at + sliceBytes));
      // Node's small buffers are parts of one that they share.
      if (piece.length === piece.buffer.byteLength) (piece.buffer as ArrayBuffer).transfer(0);
      // What the system takes at once never waits: other requests have their turn here.
      await new Promise(setImmediate);
    }
    outgoing.end(end);
  } catch (error) {
    // The head is out: all that is left to say is that the answer is not whole.
    outgoing.destroy(error as Error);
  }
}

/** Resolves when the bytes are with the operating system. */
const write = (outgoing: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    if (outgoing.destroyed) reject(new Error('The client has hung up.'));
    else outgoing.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
