import { tooManyRequests } from './errors.ts';
import { ApiError } from '../../kernel/model/errors.ts';

const units = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** A number of requests within a number of seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** The rate of keys of the key table, where nothing else is set. */
export const defaultRate = '60000/m';

export const rateRule =
  'off, or a number of requests and s, m, h or d (a second, minute, hour or day), like 600/m; at most 1000000000';

/** A rate as a person writes it, `null` for `off`; undefined for any other text. */
export function parseRate(text: string): Rate | null | undefined {
  if (text === 'off') return null;
  const [, number, unit] = /^([1-9]\d{0,9})\/([smhd])$/.exec(text) ?? [];
  const requests = Number(number);
  return unit !== undefined && requests <= 1e9 ? { requests, seconds: units[unit as keyof typeof units] } : undefined;
}

/**
 * A token bucket: it holds the requests of a rate, and is filled up evenly within its seconds. So within any such period,
 * at most twice as many requests are let through.
 */
export class TokenBucket {
  readonly rate: Rate;
  /** The field `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-11. */
  readonly policy: string;
  readonly #perMillisecond: number;
  #tokens: number;
  #filledAt: number;

  /** @param now milliseconds of a clock that does not go back, here and in `tryAcquire` */
  constructor(rate: Rate, now: number) {
    this.rate = rate;
    this.policy = `"default";q=${rate.requests};w=${rate.seconds}`;
    this.#perMillisecond = rate.requests / (rate.seconds * 1_000);
    this.#tokens = rate.requests;
    this.#filledAt = now;
  }

  /** Takes one request out. @returns false if there is none */
  tryAcquire(now: number): boolean {
    this.#tokens = Math.min(this.rate.requests, this.#tokens + (now - this.#filledAt) * this.#perMillisecond);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Requests that are left, as of the last `tryAcquire`. */
  get remaining(): number {
    return Math.floor(this.#tokens);
  }

  /** Whole seconds until there is one more, as of the last `tryAcquire`: at least 1. */
  get secondsToNext(): number {
    return Math.max(1, Math.ceil(((this.remaining + 1 - this.#tokens) * this.rate.seconds) / this.rate.requests));
  }

  /** The field `RateLimit` of the same draft. */
  get state(): string {
    return `"default";r=${this.remaining};t=${this.secondsToNext}`;
  }
}

export const rateLimited = ({ rate, secondsToNext }: TokenBucket): ApiError =>
  new ApiError(
    tooManyRequests,
    `The API key has made more requests than its rate allows: ${rate.requests} in ${rate.seconds} s.`,
    { headers: { 'Retry-After': String(secondsToNext) } },
  );
