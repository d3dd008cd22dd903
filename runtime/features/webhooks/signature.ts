import { createHmac, randomBytes } from 'node:crypto';

/** The beginning of each secret, behind which its bytes are in base 64. */
const prefix = 'whsec_';

/** Makes the secret of a webhook (https://www.standardwebhooks.com). */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/**
 * The headers by which a receiver knows a message, and that it comes from who has the secret.
 *
 * @param id the same in each attempt
 * @param time of this attempt, in milliseconds
 */
export function signedHeaders(secret: string, id: string, time: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(time / 1_000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
