import type { SettingRows } from '../../kernel/settings.ts';
import { defaultRate, parseRate, rateRule } from './rate.ts';

/** Characters of a key of API_KEYS: a shorter one can be guessed. */
const minKeyLength = 16;

function parseKeys(text: string): readonly string[] | undefined {
  const keys = text.split(',').flatMap((key) => key.trim() || []);
  // RFC 6750, 2.1: the characters of a Bearer token.
  return keys.every((key) => /^[A-Za-z0-9\-._~+/]+=*$/.test(key) && key.length >= minKeyLength) ? keys : undefined;
}

export const keySettings = {
  API_KEYS: {
    default: '',
    meaning: 'API keys, separated by commas; without them, a server on SQLite creates one at its first start',
    rule:
      `keys separated by commas, each of at least ${minKeyLength} characters, and of letters, digits and - . _ ~ + / only; ` +
      '`openssl rand -hex 32` makes one',
    parse: parseKeys,
    shown: (text) => `(${text.split(',').filter((key) => key.trim() !== '').length}, hidden)`,
  },
  RATE_LIMIT: {
    default: defaultRate,
    meaning: 'the requests of an API key, or off; those of API_KEYS have no default',
    rule: rateRule,
    parse: parseRate,
  },
} as const satisfies SettingRows;
