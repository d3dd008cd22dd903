import type { FeatureCode } from '../../kernel/model/error-codes.ts';

export const unauthorized = {
  code: 'unauthorized',
  status: 401,
  title: 'Unauthorized',
  meaning: 'The API key is missing, invalid, revoked or expired.',
  remedy: 'Send a valid key: `Authorization: Bearer <API_KEY>`.',
} as const satisfies FeatureCode;

export const insufficientScope = {
  code: 'insufficient_scope',
  status: 403,
  title: 'Insufficient scope',
  meaning: 'The API key may not do this.',
  remedy: 'Use a key with the scope that the detail names.',
} as const satisfies FeatureCode;

export const tooManyRequests = {
  code: 'rate_limited',
  status: 429,
  title: 'Rate limited',
  meaning: 'The API key has made more requests than its rate allows.',
  remedy: 'Wait for the seconds in `Retry-After`.',
} as const satisfies FeatureCode;
