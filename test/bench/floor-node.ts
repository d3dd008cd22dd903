// The least that an HTTP server on Node can do.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { floorBody } from './floor-body.ts';

const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(floorBody) };

const server = createServer((_, response) => response.writeHead(200, headers).end(floorBody));
server.listen(0, '127.0.0.1', () => {
  console.log(`The floor of node:http is on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
