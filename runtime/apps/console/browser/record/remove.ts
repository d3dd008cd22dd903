import { type Api, messageOf } from '../api.ts';
import { confirmDialog } from '../dialog.ts';
import { hrefOf, navigate } from '../route.ts';
import { counted } from '../text.ts';
import { toast } from '../toast.ts';
import type { Draft } from './draft.ts';

/** Asks, deletes a record with its line items, and leads to the list. */
export async function remove(api: Api, { resource, id, items }: Draft): Promise<void> {
  const count = items.reduce((sum, { total }) => sum + total, 0);
  const noun = resource.title.toLowerCase();
  const isMeant = await confirmDialog({
    title: `Delete this ${noun}?`,
    text: `${count > 0 ? `With it goes what belongs to it: ${counted(count, 'line item')}. ` : ''}This cannot be undone.`,
    action: 'Delete',
  });
  if (!isMeant) return;
  try {
    await api.delete(`${resource.path}/${id}`);
    toast(`${resource.title} deleted.`);
    await navigate(hrefOf(resource.route), { replace: true, force: true });
  } catch (error) {
    toast(messageOf(error), { isError: true });
  }
}
