import { useCallback, useRef, useState } from 'preact/hooks';
import { type Api, messageOf } from '../api.ts';
import { isPageCovered } from '../dialog.ts';
import { archivedAt } from '../model.ts';
import { hrefOf, navigate } from '../route.ts';
import { toast } from '../toast.ts';
import { type Draft, hasChanges, recordKey } from './draft.ts';
import { collectErrors, errorsOf, isNotFound, isStale, isToldByFields, type Notice, noticeOf } from './failure.ts';
import { reloadItems, reloadWithEtags } from './load.ts';
import { type Outcome, send } from './send.ts';
import { rebase } from './reconcile.ts';
import { applyDone, changesStoredItems, isUnguarded, type Move, type Plan, planOf } from './save.ts';
import { texts } from '../texts.ts';

/** A record that is edited, and what can be done with it. */
export interface Editing {
  readonly draft: Draft;
  readonly change: (how: (draft: Draft) => Draft) => void;
  readonly isSaving: boolean;
  /** The message above the form after a save has failed. */
  readonly notice: Notice | undefined;
  /** The record is no longer there. */
  readonly isGone: boolean;
  /** How often a save has failed: each time, the first error gets the focus. */
  readonly failures: number;
  /** Stores the draft, and moves it to another state in the same commit. Then it leaves the page, if it is to, and the user is still there. */
  readonly save: (move?: Move, leave?: () => void) => Promise<void>;
  /** Takes over the changes that other users have stored meanwhile. */
  readonly refresh: () => Promise<void>;
}

/** The path of a record: a singleton has no id in it. */
const placeOf = ({ resource, id }: Draft): string =>
  resource.kind === 'singleton' ? resource.path : `${resource.path}/${id}`;

/** The message after a save. */
function successOf({ id, resource }: Draft, move: Move | undefined): string {
  const { to, title, field } = move?.transition ?? {};
  if (field === archivedAt) return texts.record[to === 'archived' ? 'archived' : 'unarchived'](resource.title);
  if (move) return to === undefined ? texts.record.done(String(title)) : texts.record.moved(resource.title, to);
  return id === undefined ? texts.record.created(resource.title) : texts.record.saved;
}

const changedNotice = (what: 'changedRecord' | 'changedItems'): Notice => ({
  title: `${texts.conflict[what]}.`,
  advice: texts.conflict.changedMeanwhile,
});

/** The parts that reading and saving share: the draft as it is now, and what they tell the page. */
interface Desk {
  readonly api: Api;
  readonly draft: () => Draft;
  readonly change: Editing['change'];
  readonly setNotice: (notice: Notice | undefined) => void;
  readonly setGone: (isGone: boolean) => void;
  readonly countFailure: () => void;
}

/**
 * Shows what is stored now, under what was typed.
 *
 * @param isWanted is asked once it is read
 * @param reload reads line items
 * @returns whether the user has to look at it before the draft is saved
 */
async function readAgain(
  { api, draft, change, setNotice, setGone }: Desk,
  isWanted = (): boolean => true,
  reload = reloadItems,
): Promise<boolean> {
  const { id, resource, items } = draft();
  if (id === undefined) return false;
  try {
    // A parent that is kept elsewhere has no fields here.
    const record = resource.fields.length > 0 ? await api.get(placeOf(draft())) : undefined;
    const current = await Promise.all(items.map((list) => reload(api, list, id)));
    if (!isWanted()) return false;
    const { draft: rebased, conflicts, areItemsLost } = rebase(draft(), record, current);
    change(() => rebased);
    if (areItemsLost) setNotice(changedNotice('changedItems'));
    return areItemsLost || conflicts.size > 0;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    setGone(true);
    return true;
  }
}

/** Says why something was not stored, at the fields or above them. */
async function tell(desk: Desk, plan: Plan, outcome: Outcome, move: Move | undefined): Promise<void> {
  const { change, setNotice } = desk;
  const { write, error } = outcome.failure ?? {};
  const isOwn = write?.key === recordKey;
  if (isOwn && isNotFound(error)) {
    desk.setGone(true);
    return;
  }
  const hasChangedItems = !isOwn && isNotFound(error);
  if (isStale(error) || hasChangedItems) {
    setNotice(undefined);
    const isTold = await readAgain(desk);
    if (hasChangedItems || !isTold) setNotice(changedNotice(isOwn ? 'changedRecord' : 'changedItems'));
  } else {
    const ofInput = write?.kind === 'transition' ? errorsOf(error, move?.transition.input ?? []) : undefined;
    if (ofInput && Object.keys(ofInput.fields).length > 0) {
      move?.refuse?.(ofInput);
      return;
    }
    const errors = collectErrors(desk.draft(), plan, outcome);
    change((current) => ({ ...current, errors }));
    setNotice(isToldByFields(errors, outcome) ? undefined : noticeOf(error));
    if (write?.kind === 'transition') await readAgain(desk);
  }
  desk.countFailure();
}

/** The plan once the line items that it changes are read with their ETags; undefined if the user has to look at them first. */
async function planWithEtags(desk: Desk, move: Move | undefined): Promise<Plan | undefined> {
  let plan = planOf(desk.draft(), move);
  // More line items may be edited while these are read.
  for (let isRead = false; isUnguarded(plan) || (!isRead && changesStoredItems(plan)); isRead = true) {
    if (await readAgain(desk, undefined, reloadWithEtags)) {
      desk.countFailure();
      return undefined;
    }
    plan = planOf(desk.draft(), move);
  }
  return plan;
}

/** Stores the draft. @returns whether it is stored; if not, the page says why */
async function store(desk: Desk, move: Move | undefined): Promise<boolean> {
  const plan = await planWithEtags(desk, move);
  if (!plan) return false;
  const before = desk.draft();
  const outcome = await send(desk.api, plan.writes);
  const isDone = outcome.done.length > 0;
  desk.change((current) => {
    const cleared = { ...current, errors: new Map(), ...(isDone && { conflicts: new Map() }) };
    return outcome.done.reduce(applyDone, cleared);
  });
  if (outcome.failure) {
    await tell(desk, plan, outcome, move);
    return false;
  }
  desk.setNotice(undefined);
  // Line items may change what is computed of them, and with it the version of the record.
  const isComputed = before.resource.fields.some((field) => field.isComputed);
  if (isComputed && plan.writes.some(({ key }) => key !== recordKey)) await readAgain(desk);
  toast(successOf(before, move));
  return true;
}

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
  const countFailure = (): void => setFailures((count) => count + 1);
  const desk = { api, draft: () => latest.current, change, setNotice, setGone, countFailure };

  const refresh = async (): Promise<void> => {
    const begun = saves.current;
    if (!busy.current) await readAgain(desk, () => saves.current === begun);
  };

  const save = async (move?: Move, leave?: () => void): Promise<void> => {
    if (busy.current) return;
    const place = location.hash;
    if (planOf(latest.current, move).writes.length === 0) {
      leave?.();
      return;
    }
    busy.current = true;
    saves.current += 1;
    setSaving(true);
    try {
      const isStored = await store(desk, move);
      const { id, resource } = latest.current;
      // The next save stores first what was typed meanwhile.
      if (!isStored || hasChanges(latest.current) || location.hash !== place) return;
      if (leave && !isPageCovered()) leave();
      // The page of a new record begins with what is stored.
      else if (start.id === undefined && id !== undefined)
        await navigate(hrefOf(resource.route, id), { replace: true, force: true });
    } catch (error) {
      setNotice({ title: texts.failure.notSaved, advice: `${messageOf(error)} ${texts.failure.kept}` });
    } finally {
      busy.current = false;
      setSaving(false);
    }
  };

  return { draft, change, isSaving, notice, isGone, failures, save, refresh };
}
