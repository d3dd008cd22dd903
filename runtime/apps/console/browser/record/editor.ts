import { html } from 'htm/preact';
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { allows, type Api, type Key, messageOf, type RecordData } from '../api.ts';
import { isPageCovered } from '../dialog.ts';
import { useLifetime, useWindowEvent } from '../events.ts';
import { Events, type EventsProps } from '../history/list.ts';
import { History } from '../history/panel.ts';
import type { Resource } from '../model.ts';
import { backHref, listHref, navigate, useGuard } from '../route.ts';
import { toast } from '../toast.ts';
import { ConflictView } from './conflict-view.ts';
import { areItemsChanged, type Draft, hasChanges, type Items, lockOf, recordKey, withItems } from './draft.ts';
import type { Notice } from './failure.ts';
import { Fields, ungrouped } from './form.ts';
import { Head, useHeading } from './head.ts';
import { type ItemsProps, ItemsTable } from './items.ts';
import { loadMore } from './load.ts';
import { ReferencedBy } from './referenced-by.ts';
import { usePrint } from './print.ts';
import { errorsOfRecord } from './rules.ts';
import type { Move } from './save.ts';
import { type Editing, useDraft } from './use-draft.ts';
import { texts } from '../texts.ts';
import { titleWindow } from '../window-title.ts';

const box = (title: string, lines: readonly string[], role = 'alert'): VNode =>
  html`<div class="notice" role=${role} tabindex="-1">
    <strong>${title}</strong>
    ${lines.map((text) => html`<span key=${text}>${text}</span>`)}
  </div>`;

interface NoticesProps {
  readonly draft: Draft;
  readonly notice: Notice | undefined;
  readonly isGone: boolean;
}

/** The messages above the fields: why nothing was saved, and what to do. */
function Notices({ draft, notice, isGone }: NoticesProps): VNode {
  const { general = [] } = draft.errors.get(recordKey) ?? {};
  const broken = errorsOfRecord(draft)?.general.filter((text) => !general.includes(text)) ?? [];
  const wrong = [...draft.errors.values()].reduce((sum, { fields }) => sum + Object.keys(fields).length, 0);
  const counts = wrong === 0 ? [] : [texts.failure.notValid(wrong)];
  return html`
    ${isGone && box(texts.failure.gone, [texts.failure.goneAdvice])} ${notice && box(notice.title, [notice.advice])}
    ${counts.length + general.length > 0 && box(texts.failure.notSaved, [...counts, ...general])}
    ${broken.length > 0 && box(texts.failure.notYet, broken, 'status')}
  `;
}

interface EditorProps {
  readonly api: Api;
  readonly apiKey: Key;
  readonly start: Draft;
}

/** The first of these that is there gets the focus when a save has failed. */
const faults = ['.conflict', '[aria-invalid="true"]:not([role="radiogroup"]), [aria-invalid="true"] input', '.notice'];

const focusFault = (form: HTMLFormElement | null): void =>
  faults
    .map((selector) => form?.querySelector<HTMLElement>(selector))
    .find((element) => element)
    ?.focus();

/** Typing begins in the first field that must be given, or in the first of all. */
function focusStart(form: HTMLFormElement | null): void {
  const controls = [...(form?.querySelectorAll<HTMLInputElement>('.grid :is(input, select, textarea)') ?? [])];
  const first = controls.find((control) => control.ariaRequired === 'true' && control.value === '') ?? controls[0];
  first?.focus({ preventScroll: true });
}

/** Reads more line items of a kind. */
async function showMore(api: Api, { draft, change }: Editing, path: string, signal: AbortSignal): Promise<void> {
  const items = draft.items.find(({ resource }) => resource.path === path);
  if (!items || draft.id === undefined) return;
  try {
    const add = await loadMore(api, items, draft.id, signal);
    change((current) => withItems(current, path, add));
  } catch (error) {
    if (!signal.aborted) toast(messageOf(error), { isError: true });
  }
}

/** Saves what is typed, unless a date is not complete. */
function useSave(
  { save, isGone }: Editing,
  form: RefObject<HTMLFormElement | null>,
): (...how: Parameters<Editing['save']>) => void {
  return (...how) => {
    const inputs = [...(form.current?.querySelectorAll('input') ?? [])];
    const unfinished = inputs.find(({ validity }) => validity.badInput);
    if (unfinished) {
      unfinished.focus();
      toast(texts.record.completeDate, { isError: true });
    } else if (!isGone) {
      void save(...how);
    }
  };
}

/** The keys of the page: those to save, to leave, and to do both. */
function usePageKeys({ draft: { resource } }: Editing, save: (move?: Move, leave?: () => void) => void): void {
  // Settings, and the line items of a record that is stored elsewhere, have no list to go to.
  const leave = resource.kind === 'record' ? () => void navigate(backHref(resource.route)) : undefined;
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    'Ctrl+s': () => save(),
    'Ctrl+enter': () => save(undefined, leave),
    escape: leave,
  };
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || isPageCovered()) return;
    const name = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.key.toLowerCase()}`;
    const action = keys[name];
    // The browser opens a link in a new tab.
    if (!action || (name === 'Ctrl+enter' && event.target instanceof Element && event.target.closest('a'))) return;
    event.preventDefault();
    action();
  });
}

/**
 * Gives the focus to a new record, to what is wrong after a save, and to the heading if the element that had it is gone.
 *
 * @returns what is told what has the focus
 */
function useFocus({ draft: { id }, failures }: Editing, form: RefObject<HTMLFormElement | null>) {
  const last = useRef<EventTarget | null>(null);
  useLayoutEffect(() => {
    const isLost = last.current instanceof HTMLElement && !last.current.isConnected;
    if (isLost && document.activeElement === document.body)
      form.current?.querySelector('h1')?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (failures > 0) focusFault(form.current);
  }, [failures]);
  useEffect(() => {
    if (id !== undefined) return;
    // After the frame has put the focus on the heading.
    const frame = requestAnimationFrame(() => focusStart(form.current));
    return () => cancelAnimationFrame(frame);
  }, []);
  return ({ target }: FocusEvent): void => {
    last.current = target;
  };
}

/** A record that is shown and edited, with its line items. */
export function Editor({ api, apiKey, start }: EditorProps): VNode {
  const editing = useDraft(api, start);
  const { draft, change, isSaving, notice, isGone } = editing;
  const { resource, id } = draft;
  const form = useRef<HTMLFormElement>(null);
  const shown = useLifetime();
  const canWrite = id === undefined ? resource.can.create : resource.can.update;
  const isEditable = canWrite && allows(apiKey, resource.route, 'write');
  const isDirty = hasChanges(draft);
  const heading = useHeading(draft);
  const { page: printPage, print } = usePrint(api, draft, heading);
  useEffect(() => titleWindow(heading), [heading]);
  const lock = lockOf(draft);
  useGuard(isDirty);
  // Another user may have changed the record since. Whether the server can be reached is told when something is saved.
  const refresh = (): void => void (document.visibilityState === 'visible' && editing.refresh().catch(() => {}));
  useWindowEvent('focus', refresh);
  useWindowEvent('visibilitychange', refresh);
  const save = useSave(editing, form);
  usePageKeys(editing, save);
  const noteFocus = useFocus(editing, form);

  /** Shows the events of the record, or of a line item. */
  const eventsOf = (of: Resource, record: Partial<RecordData>): EventsProps => ({
    api,
    apiKey,
    filters: { resource: of.route, record: String(record['id']) },
    turn: JSON.stringify(record),
    onUndone: ({ operation }) => {
      if (operation === 'create' && of.kind === 'record') void navigate(listHref(of.route), { force: true });
      else refresh();
    },
  });
  const hasHistory = allows(apiKey, 'events', 'read');
  const submit = (event: Event): void => {
    event.preventDefault();
    save();
  };
  const hasService = id !== undefined && ungrouped(resource, true).length > 0;
  const itemsProps = (items: Items): ItemsProps => ({
    draft,
    items,
    isEditable:
      !isGone && allows(apiKey, items.resource.route, 'write') && (lock === undefined || areItemsChanged(items)),
    change,
    more: () => showMore(api, editing, items.resource.path, shown),
    showHistory: hasHistory && ((record) => html`<${Events} ...${eventsOf(items.resource, record)} />`),
  });
  return html`<form
    class=${id === undefined ? 'record new' : 'record'}
    ref=${form}
    novalidate
    onSubmit=${submit}
    onFocusIn=${noteFocus}
    aria-busy=${isSaving}
  >
    <${Head} ...${{ api, apiKey, editing, heading, isEditable: isEditable && !isGone, isDirty, save, print }} />
    <${Notices} ...${{ draft, notice, isGone }} />
    ${draft.conflicts.size > 0 && html`<${ConflictView} ...${{ draft, change, save: () => save() }} />`}
    ${!isEditable && html`<p class="muted read-only">${texts.record.mayRead}</p>`}
    ${lock !== undefined && html`<p class="muted read-only">${texts.record.lockedWhile(lock.why)}</p>`}
    <${Fields} ...${{ draft, isEditable, change }} />
    ${draft.items.map((items) => html`<${ItemsTable} key=${items.resource.path} ...${itemsProps(items)} />`)}
    ${id !== undefined && html`<${ReferencedBy} key=${id} ...${{ resource, id }} />`}
    ${hasService && html`<${Fields} ...${{ draft, isEditable: false, change, readOnly: true }} />`}
    ${hasHistory && id !== undefined && resource.fields.length > 0 && html`<${History} ...${eventsOf(resource, draft.base)} />`}
    <div ...${printPage}></div>
  </form>`;
}
