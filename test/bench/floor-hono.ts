// The least that a server with Hono can do.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

import { floorBody } from './floor-body.ts';

const headers = { 'Content-Type': 'application/json' };

const app = new Hono().get('/', () => new Response(floorBody, { headers }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`The floor of Hono is on http://127.0.0.1:${port}`);
});
