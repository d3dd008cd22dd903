import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { RecordData } from '../api.ts';
import { confirmDialog } from '../dialog.ts';
import type { Resource, Transition } from '../model.ts';
import { toast } from '../toast.ts';

const quoted = (states: readonly string[]): string => states.map((state) => `“${state}”`).join(' or ');

/** Why a record cannot be moved now; nothing where it can. */
function whyNot({ title, field, from }: Transition, record: Partial<RecordData>): string | undefined {
  const state = record[field];
  if (typeof state === 'string' && from.includes(state)) return undefined;
  const now = typeof state === 'string' && state !== '' ? `is “${state}”` : 'is empty';
  return `${title} is possible when the ${field.replaceAll('_', ' ')} is ${quoted(from)}; now it ${now}.`;
}

/** Whether no operation leads on from the state that a transition leads to. */
const isFinal = ({ transitions }: Resource, { to, field }: Transition): boolean =>
  !transitions.some((other) => other.field === field && other.from.includes(to));

interface TransitionsProps {
  readonly resource: Resource;
  /** As it is stored. */
  readonly record: Partial<RecordData>;
  readonly hasChanges: boolean;
  readonly isBusy: boolean;
  readonly move: (transition: Transition) => void;
}

/** The buttons that move a record to another state. One that is not possible says why. */
export function Transitions({ resource, record, hasChanges, isBusy, move }: TransitionsProps): VNode {
  const noun = resource.title.toLowerCase();
  const ask = async (transition: Transition): Promise<void> => {
    const { title, field, to } = transition;
    const isMeant =
      !isFinal(resource, transition) ||
      (await confirmDialog({
        title: `${title} this ${noun}?`,
        text: `Its ${field.replaceAll('_', ' ')} becomes “${to}”, and no button leads back from there.`,
        action: `${title} ${noun}`,
        cancel: 'Not now',
      }));
    if (isMeant) move(transition);
  };
  return html`${resource.transitions.map((transition) => {
    const { name, title } = transition;
    const reason = whyNot(transition, record);
    const press = (): void => {
      if (reason !== undefined) toast(reason);
      else if (!isBusy) void ask(transition);
    };
    return html`<span class="transition" key=${name}>
      <button
        type="button"
        class="button"
        aria-disabled=${reason === undefined ? undefined : 'true'}
        aria-describedby=${reason === undefined ? undefined : `why-not-${name}`}
        onClick=${press}
      >
        ${hasChanges && reason === undefined ? `Save and ${title.toLowerCase()}` : title}
      </button>
      ${reason !== undefined && html`<span class="tip" role="tooltip" id=${`why-not-${name}`}>${reason}</span>`}
    </span>`;
  })}`;
}
