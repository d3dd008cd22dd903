import { confirmDialog } from '../dialog.ts';
import type { Action } from '../menu.ts';
import { fieldOf, type Resource, type Transition } from '../model.ts';
import type { References } from '../reference.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';
import { askInput, type Entered } from './ask-input.ts';
import { type Draft, isArchived } from './draft.ts';
import type { Move } from './save.ts';
import { currentInput } from './values.ts';

/** Why a record cannot be moved now; nothing where it can. */
function whyNot(resource: Resource, transition: Transition, draft: Draft): string | undefined {
  const { base, edits } = draft;
  const { title, field, from, requires = [] } = transition;
  if (isArchived(draft)) return texts.record.notArchived(title);
  const state = base[field];
  if (typeof state === 'string' && from.includes(state)) {
    // The transition itself may set one that no form sets.
    const missing = requires.flatMap((name) => {
      const required = fieldOf(resource, name);
      const isThere = required && (currentInput(base, edits, required) ?? null) !== null;
      return isThere || !required || required.readOnly ? [] : [required.title];
    });
    return missing.length === 0 ? undefined : texts.record.needs(title, missing);
  }
  return texts.record.possibleWhen(title, titleOf(field), from, typeof state === 'string' ? state : '');
}

/** Whether no operation leads on from the state that a transition leads to. */
const isFinal = ({ transitions }: Resource, { to, field }: Transition): boolean =>
  to !== undefined &&
  !transitions.some((other) => other.field === field && other.to !== undefined && other.from.includes(to));

interface Moving {
  readonly draft: Draft;
  readonly references: References;
  /** There are edits, which are saved, too. */
  readonly hasChanges: boolean;
  readonly isBusy: boolean;
  readonly move: (move: Move) => void;
}

/** The transitions of a record. One that is not possible says why. */
export function movesOf({ draft, references, hasChanges, isBusy, move }: Moving): readonly Action[] {
  const { resource } = draft;
  /** Asks again if the server refuses what was entered. */
  const askFor = async (transition: Transition, entered: Entered): Promise<void> => {
    const answer = await askInput(references, resource.title, transition, entered);
    const { edits, body } = answer ?? {};
    if (edits) move({ transition, body, refuse: (errors) => void askFor(transition, { edits, errors }) });
  };
  const ask = async (transition: Transition): Promise<void> => {
    const { title, field, to, input } = transition;
    if (input.length > 0) {
      await askFor(transition, { edits: {} });
      return;
    }
    const isMeant =
      !isFinal(resource, transition) ||
      (await confirmDialog({
        title: texts.record.moveQuestion(title, resource.title),
        text: texts.record.becomesForEver(titleOf(field), String(to)),
        action: texts.record.moveRecord(title, resource.title),
        cancel: texts.record.notNow,
      }));
    if (isMeant) move({ transition });
  };
  return resource.transitions.map((transition) => {
    const { title } = transition;
    const reason = whyNot(resource, transition, draft);
    return {
      text: hasChanges && reason === undefined ? texts.record.saveAnd(title) : title,
      run: () => void (!isBusy && ask(transition)),
      whyNot: reason,
    };
  });
}
