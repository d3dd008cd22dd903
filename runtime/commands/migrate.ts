import { StartError } from '../errors.ts';
import type { Service } from '../service.ts';

/** Brings the database to the spec. */
export async function migrate(_service: Service, _args: readonly string[]): Promise<void> {
  throw new StartError('Not there yet.');
}
