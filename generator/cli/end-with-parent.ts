/**
 * Loaded before a server that `npm run dev` starts: stops the server when `npm run dev` is gone, however it has ended.
 * DEV_PIPE is the number of a pipe that carries no data and ends with the process at its other side.
 */
import { Socket } from 'node:net';

/** The time that the server gets for the requests in flight, in milliseconds. */
const stopTimeout = 10_000;

const pipe = Number(process.env['DEV_PIPE'] ?? NaN);
// Processes and threads that the server starts do not have the pipe.
delete process.env['DEV_PIPE'];
if (pipe) {
  const onEnd = (): void => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeout).unref();
  };
  new Socket({ fd: pipe, readable: true, writable: false }).once('close', onEnd).resume().unref();
}
