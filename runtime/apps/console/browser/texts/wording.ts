import type { FieldError, ServerProblem } from '../../../../client/failure.ts';

/** The codes of errors in a body that texts word: the service's rules and hooks have words of their own. */
export type FaultCode =
  | Exclude<FieldError['code'], 'rule_violated' | 'refused' | `invalid_${string}`>
  | `invalid_${'text' | 'decimal' | 'date' | 'date_time' | 'time' | 'uuid' | 'email' | 'uri'}`;

export type Kind = 'integer' | 'number' | 'boolean' | 'text' | 'list' | 'json';

/** The values that a field allows, in the language of the browser; undefined if they are not known. */
export interface Allowed {
  readonly kind?: Kind;
  /** The least and the greatest number. */
  readonly minimum?: string | undefined;
  readonly maximum?: string | undefined;
  /** The least and the greatest number of characters, of the entries of a list, or of the bytes of JSON. */
  readonly minLength?: string | undefined;
  readonly maxLength?: string | undefined;
  /** Digits of a decimal before and behind the point. */
  readonly digits?: number | undefined;
  readonly decimals?: number | undefined;
  readonly pattern?: string | undefined;
  readonly values?: string | undefined;
}

/** The codes of problems that texts word: the service's rules and hooks have words of their own. */
export type ProblemCode = Exclude<ServerProblem['code'], 'rule_violated'>;

/** The subject of a problem, by the titles of fields and resources. */
export interface Concerned {
  readonly fields: readonly string[];
  /** How many errors there are. */
  readonly errors: number;
  /** The resources whose records reference the one that was to be deleted. */
  readonly resources: readonly string[];
}
