import { openTransfer } from '../list/transfer.ts';
import type { Resource } from '../model.ts';
import type { Session } from '../reference.ts';
import { hrefOf, navigate } from '../route.ts';

/** Imports records of a resource by a dialog, and leads to its list. */
export const importInto = ({ api }: Session, resource: Resource): Promise<void> =>
  openTransfer(async ({ openImport }) => {
    await openImport({ api, resource });
    await navigate(hrefOf(resource.route));
  });
