import { loadPart } from '../loaded.ts';
import type * as dialogs from '../transfer/dialogs.ts';

/** Loads the dialogs when one is wanted: what reads and writes CSV is as large as the rest of the console. */
export async function openTransfer(show: (loaded: typeof dialogs) => Promise<unknown>): Promise<void> {
  const loaded = await loadPart(() => import('../transfer/dialogs.ts'));
  if (loaded) await show(loaded);
}
