import type { Context } from 'hono';
import type { Env } from './service.ts';
import { respond } from './responses.ts';

/** Answers 200 with what is known of the key of the request, which any valid key may ask for. It reads nothing. */
export function describeKey(c: Context<Env>): Response {
  const { about, scopes } = c.env.principal;
  const { name, organization, expiresAt } = about;
  return respond(c, JSON.stringify({ name, organization, scopes: [...scopes], expires_at: expiresAt }));
}
