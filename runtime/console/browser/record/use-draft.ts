import { useCallback, useRef, useState } from 'preact/hooks';
import { type Api, messageOf, type RecordData } from '../api.ts';
import type { Transition } from '../model.ts';
import { navigate, hrefOf } from '../route.ts';
import { toast } from '../toast.ts';
import { merge } from './conflict.ts';
import { type Draft, editableFields, hasChanges, type Items, withoutConflict } from './draft.ts';
import { collectErrors, isNotFound, isOfRecord, isStale, isToldByFields, type Notice, noticeOf } from './failure.ts';
import { reloadItems } from './load.ts';
import { type Outcome, send } from './operations.ts';
import { reconcile } from './reconcile.ts';
import { applyDone, type Plan, planOf, transitionKey, type Write } from './save.ts';

/** A record that is edited, and what can be done with it. */
export interface Editing {
  readonly draft: Draft;
  readonly change: (how: (draft: Draft) => Draft) => void;
  readonly isSaving: boolean;
  /** What is said above the form, where a save has failed. */
  readonly notice: Notice | undefined;
  /** The record is no longer there. */
  readonly isGone: boolean;
  /** How often a save has failed: each time, the first error gets the focus. */
  readonly failures: number;
  /** Stores the draft, and moves it to another state in the same commit. */
  readonly save: (transition?: Transition) => Promise<boolean>;
  /** Takes over what somebody else may have stored meanwhile. */
  readonly refresh: () => Promise<void>;
}

/** Where a record is read: a singleton without its id. */
const placeOf = ({ resource, id }: Draft): string =>
  resource.kind === 'singleton' ? resource.path : `${resource.path}/${id}`;

/** The draft over the record as it is stored now; it tells of what both have changed. */
function rebased(draft: Draft, stored: RecordData): Draft {
  if (stored['updated_at'] === draft.stored['updated_at']) return draft;
  const merged = merge(editableFields(draft.resource), draft.stored, draft.edits, stored);
  const rest = withoutConflict(draft);
  const isTold = merged.differences.length > 0 || (hasChanges(draft) && merged.theirs.length > 0);
  return { ...rest, stored, edits: merged.edits, ...(isTold && { conflict: merged }) };
}

/** Line items as they are stored now. */
const currentItems = (api: Api, { items }: Draft, id: string): Promise<readonly Items[]> =>
  Promise.all(items.map((one) => reloadItems(api, one, id)));

/** What is said when everything is stored. */
function successOf({ id, resource }: Draft, transition: Transition | undefined): string {
  if (transition) return `${resource.title}: now “${transition.to}”.`;
  return id === undefined ? `${resource.title} created.` : 'Saved.';
}

const itemsChanged: Notice = {
  title: 'Somebody else has changed the line items.',
  advice: 'They are shown as they are now, with what you have typed. Look at them, then save again.',
};

/** Edits a record; `start` is what it begins with. */
export function useDraft(api: Api, start: Draft): Editing {
  const [draft, setDraft] = useState(start);
  const [notice, setNotice] = useState<Notice>();
  const [isSaving, setSaving] = useState(false);
  const [isGone, setGone] = useState(false);
  const [failures, setFailures] = useState(0);
  const latest = useRef(draft);
  const busy = useRef(false);
  /** How often something was stored: what was read before is not what is stored then. */
  const saves = useRef(0);

  const change = useCallback((how: (draft: Draft) => Draft): void => {
    latest.current = how(latest.current);
    setDraft(latest.current);
  }, []);

  const refresh = async (): Promise<void> => {
    const { id, resource } = latest.current;
    if (id === undefined || busy.current) return;
    const begun = saves.current;
    try {
      // A parent that is kept elsewhere has no fields here.
      const stored = resource.fields.length > 0 ? await api.get(placeOf(latest.current)) : undefined;
      const items = await currentItems(api, latest.current, id);
      if (busy.current || saves.current !== begun) return;
      change((current) => ({
        ...(stored ? rebased(current, stored) : current),
        items: current.items.map((one, at) => reconcile(one, items[at] ?? one)),
      }));
    } catch (error) {
      if (isNotFound(error)) setGone(true);
      else throw error;
    }
  };

  const fail = async (plan: Plan, outcome: Outcome<Write>): Promise<void> => {
    const { operation, error } = outcome.failure ?? {};
    const isOwn = isOfRecord(operation) || operation?.key === transitionKey;
    if (isOwn && isNotFound(error)) {
      setGone(true);
      return;
    }
    busy.current = false;
    const hasChangedItems = !isOwn && isNotFound(error);
    if (isStale(error) || hasChangedItems) {
      await refresh();
      setNotice(hasChangedItems ? itemsChanged : undefined);
    } else {
      const errors = collectErrors(latest.current, plan, outcome);
      change((current) => ({ ...current, errors }));
      setNotice(isToldByFields(errors, outcome) ? undefined : noticeOf(error, plan));
      if (operation?.key === transitionKey) await refresh();
    }
    setFailures((count) => count + 1);
  };

  const save = async (transition?: Transition): Promise<boolean> => {
    if (busy.current) return false;
    const before = latest.current;
    const plan = planOf(before, transition);
    if (plan.writes.length === 0) return true;
    busy.current = true;
    saves.current += 1;
    setSaving(true);
    try {
      const outcome = await send(api, plan.writes);
      change((current) => outcome.done.reduce(applyDone, { ...current, errors: new Map() }));
      if (outcome.failure) {
        await fail(plan, outcome);
        return false;
      }
      setNotice(undefined);
      toast(successOf(before, transition));
      const { id } = latest.current;
      // Its own page begins with what is stored: what was typed meanwhile is stored first, by the next save.
      if (start.id === undefined && id !== undefined && !hasChanges(latest.current)) {
        await navigate(hrefOf(before.resource.route, id), { replace: true, force: true });
      }
      return true;
    } catch (error) {
      setNotice({ title: 'Something went wrong.', advice: messageOf(error) });
      return false;
    } finally {
      busy.current = false;
      setSaving(false);
    }
  };

  return { draft, change, isSaving, notice, isGone, failures, save, refresh };
}
