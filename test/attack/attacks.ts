import type { Attack } from './attack.ts';
import { bodyAttacks } from './rows/bodies.ts';
import { pageAttacks } from './rows/pages.ts';

/** Every attack that there is. */
export const attacks: readonly Attack[] = [...bodyAttacks, ...pageAttacks];
