/**
 * Loaded into a server under test before anything else: ends it, and removes its folder, when the process or the thread
 * that started it is gone without having stopped it (a run that was interrupted or bailed out).
 */
import { rmSync } from 'node:fs';
import type { Socket } from 'node:net';

// The pipe carries no data: it ends when its other side is gone.
const parent = process.stdin as unknown as Socket;
parent.on('end', () => {
  const folder = process.env['TEST_FOLDER'];
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.kill(process.pid, 'SIGKILL');
});
parent.resume();
parent.unref();
