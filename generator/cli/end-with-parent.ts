/** Loaded before a server that `npm run dev` starts: stops the server when `npm run dev` is gone, however it has ended. */
import { isPrimary } from 'node:cluster';

/** The time that the server gets for the requests in flight, in milliseconds. */
const stopTimeout = 10_000;

// Processes that the server starts load it too, and their channel is that to the server.
if (isPrimary) {
  process.once('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeout).unref();
  });
  process.channel?.unref();
}
