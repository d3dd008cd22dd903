import type { Resource } from '../model.ts';
import type { Session } from '../reference.ts';
import { hrefOf, navigate } from '../route.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';

/** Imports records of a resource by a dialog, and leads to its list. */
export async function importInto({ api }: Session, resource: Resource): Promise<void> {
  try {
    const { openImport } = await import('../transfer/dialogs.ts');
    await openImport({ api, resource });
  } catch {
    toast(texts.dialog.partMissing, { isError: true });
    return;
  }
  await navigate(hrefOf(resource.route));
}
