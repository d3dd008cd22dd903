import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { CliError } from '../kernel/model/errors.ts';
import type { Listening } from '../kernel/running.ts';

/** Listens on a port. @param setting that of the port @throws CliError that says what keeps it from that */
export async function listen(server: Server, port: number, host: string, setting: string): Promise<Listening> {
  try {
    // The cluster would have the main process listen for a worker.
    await once(server.listen({ port, host, exclusive: true }), 'listening');
  } catch (error) {
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} of ${host} is in use. Stop what uses it, or set ${setting}.`,
      EACCES: `Port ${port} is reserved. Set ${setting} to 1024 or higher.`,
      EADDRNOTAVAIL: `${host} is no address of this machine. Set HOST.`,
      ENOTFOUND: `The host name ${host} is unknown. Set HOST.`,
    };
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new CliError(reasons[code] ?? `The server cannot listen: ${message}`);
  }
  const { address, port: taken } = server.address() as AddressInfo;
  return { port: taken, url: `http://${address.includes(':') ? `[${address}]` : address}:${taken}` };
}
