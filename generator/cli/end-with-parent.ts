/** Loaded before a server that `npm run dev` starts: stops the server when `npm run dev` is gone, however it has ended. */
import { isPrimary } from 'node:cluster';

// Processes that the server starts load it too, and their channel is that to the server.
if (isPrimary) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
