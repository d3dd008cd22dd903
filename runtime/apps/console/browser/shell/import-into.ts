import { loadPart } from '../loaded.ts';
import type { Resource } from '../model.ts';
import type { Session } from '../reference.ts';
import { hrefOf, navigate } from '../route.ts';

/** Imports records of a resource by a dialog, and leads to its list. */
export async function importInto({ api }: Session, resource: Resource): Promise<void> {
  const dialogs = await loadPart(() => import('../transfer/dialogs.ts'));
  if (!dialogs) return;
  await dialogs.openImport({ api, resource });
  await navigate(hrefOf(resource.route));
}
