import type { Feature } from '../../kernel/feature.ts';

/** The SQLite database is copied while servers use it; a copy is complete and checked, and takes the place of the database. */
export const backup: Feature = {
  name: 'backup',
  commands: { backup: () => import('./backup.ts'), restore: () => import('./restore.ts') },
};
