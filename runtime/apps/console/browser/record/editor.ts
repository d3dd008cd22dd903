import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { allows, type Key } from '../access.ts';
import { type Api, messageOf, type RecordData } from '../api.ts';
import type { Transition } from '../model.ts';
import { hrefOf, navigate, useGuard } from '../route.ts';
import { toast } from '../toast.ts';
import { ConflictView } from './conflict-view.ts';
import { type Draft, hasChanges, withItems } from './draft.ts';
import { Fields, ServiceFields } from './form.ts';
import { Head } from './head.ts';
import { ItemsTable } from './items.ts';
import { loadMore } from './load.ts';
import { Notices } from './notices.ts';
import { useRefresh, useShortcuts } from './page-hooks.ts';
import { Source } from './source.ts';
import { type Editing, useDraft } from './use-draft.ts';

interface EditorProps {
  readonly api: Api;
  readonly apiKey: Key;
  readonly start: Draft;
}

/** The first of these that is there gets the focus when a save has failed. */
const faults = ['.conflict', '[aria-invalid="true"]:not([role]), [aria-invalid="true"] input', '.notice'];

const focusFault = (form: HTMLFormElement | null): void =>
  faults
    .map((selector) => form?.querySelector<HTMLElement>(selector))
    .find((found) => found)
    ?.focus();

/** Typing begins in the first field that must be given, or in the first of all. */
function focusStart(form: HTMLFormElement | null): void {
  const controls = [...(form?.querySelectorAll<HTMLInputElement>('.grid :is(input, select, textarea)') ?? [])];
  const first = controls.find((control) => control.ariaRequired === 'true' && control.value === '') ?? controls[0];
  first?.focus({ preventScroll: true });
}

/** Reads more line items of a kind. */
async function showMore(api: Api, { draft, change }: Editing, path: string): Promise<void> {
  const items = draft.items.find(({ resource }) => resource.path === path);
  if (!items || draft.id === undefined) return;
  try {
    const add = await loadMore(api, items, draft.id);
    change((current) => withItems(current, path, add));
  } catch (error) {
    toast(messageOf(error), { isError: true });
  }
}

/** A record that is shown and edited, with its line items. */
export function Editor({ api, apiKey, start }: EditorProps): VNode {
  const editing = useDraft(api, start);
  const { draft, change, isSaving, notice, isGone, failures } = editing;
  const { resource, id, stored } = draft;
  const form = useRef<HTMLFormElement>(null);
  const canWrite = id === undefined ? resource.can.create : resource.can.update;
  const isEditable = canWrite && allows(apiKey, resource.route, 'write');
  const isDirty = hasChanges(draft);
  useGuard(isDirty);
  useRefresh(editing.refresh);

  const save = (transition?: Transition): void => {
    const inputs = [...(form.current?.querySelectorAll('input') ?? [])];
    const unfinished = inputs.find(({ validity }) => validity.badInput);
    if (unfinished) {
      unfinished.focus();
      toast('Complete the date, or clear it.', { isError: true });
    } else if (!isGone) {
      void editing.save(transition);
    }
  };
  const leave = (): void => void navigate(hrefOf(resource.route));
  useShortcuts(() => save(), resource.kind === 'record' ? leave : undefined);
  useEffect(() => {
    if (failures > 0) focusFault(form.current);
  }, [failures]);
  useEffect(() => {
    if (id !== undefined) return;
    // After the frame has put the focus on the heading.
    const frame = requestAnimationFrame(() => focusStart(form.current));
    return () => cancelAnimationFrame(frame);
  }, []);

  const submit = (event: Event): void => {
    event.preventDefault();
    save();
  };
  const place = resource.kind === 'singleton' ? '' : `/${encodeURIComponent(id ?? '')}`;
  return html`<form class="record" ref=${form} novalidate onSubmit=${submit} aria-busy=${isSaving}>
    <${Head} ...${{ api, apiKey, editing, isEditable: isEditable && !isGone, isDirty, save }} />
    <${Notices} ...${{ draft, notice, isGone }} />
    ${draft.conflicts.size > 0 && html`<${ConflictView} ...${{ draft, change, save: () => save() }} />`}
    ${!isEditable && html`<p class="muted read-only">Your key can read this, but not change it.</p>`}
    <${Fields} ...${{ draft, isEditable, change }} />
    ${draft.items.map(
      (items) =>
        html`<${ItemsTable}
          key=${items.resource.path}
          ...${{
            draft,
            items,
            isEditable: !isGone && allows(apiKey, items.resource.route, 'write'),
            change,
            more: () => showMore(api, editing, items.resource.path),
          }}
        />`,
    )}
    <${ServiceFields} draft=${draft} />
    ${id !== undefined && resource.fields.length > 0 && html`<${Source} record=${stored as RecordData} path=${resource.path + place} />`}
  </form>`;
}
