import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../../../../../client/requests.ts';
import { randomKey } from '../../../../../client/requests.ts';
import { allows, type Api, type Key, messageOf } from '../../api.ts';
import { fieldOf, type Resource } from '../../model.ts';
import { errorsOf } from '../../record/failure.ts';
import { RecordLink, type References } from '../../reference.ts';
import { texts } from '../../texts.ts';
import { toast } from '../../toast.ts';
import type { ListQuery } from '../query.ts';
import type { Selection } from '../selection.ts';
import { type Failure, Run, type Tally } from './run.ts';
import { targetsOf } from './targets.ts';
import { beginTraces, type Traces, undoRun } from './undo.ts';

/** Many records, and who does something with them. */
export interface Many {
  readonly api: Api;
  readonly apiKey: Key;
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly selection: Selection;
  readonly references: References;
  /** Is told what was not done, when that is over; nothing after an undo. */
  readonly onEnded: (failures?: readonly Failure[]) => void;
}

interface Shown {
  readonly phase: 'running' | 'ended' | 'undoing' | 'undone';
  readonly tally: Tally;
  readonly total: number;
  /** Why it has ended before its end. */
  readonly fault?: string;
}

/** So many failures are listed. */
const maxListed = 100;

/** Why the service has refused to change a record, with what is wrong with its fields. */
function reasonOf(resource: Resource, error: unknown): string {
  const { fields, general } = errorsOf(error, resource.fields);
  const atFields = Object.entries(fields).map(([name, text]) => {
    const field = fieldOf(resource, name);
    return field ? texts.wrong.at(field.title, text) : text;
  });
  return [...atFields, ...general].join(' ') || messageOf(error);
}

const Failures = ({ failures }: { failures: readonly Failure[] }): VNode =>
  html`<ul class="problems">
    ${failures
      .slice(0, maxListed)
      .map(
        ({ route, id, reason }) =>
          html`<li key=${`${route} ${id}`}>
            <${RecordLink} route=${route} id=${id} /> <bdi class="muted">${reason}</bdi>
          </li>`,
      )}
    ${failures.length > maxListed && html`<li class="muted">${texts.bulk.more(failures.length - maxListed)}</li>`}
  </ul>`;

export interface RunningProps {
  readonly many: Many;
  /** The heading while it is done. */
  readonly title: string;
  /** The heading when so many are done. */
  readonly doneTitle: (count: number) => string;
  readonly operation: (id: string) => Call;
  readonly close: () => void;
}

/** Does something with many records, and tells how far it is, what was not done, and why. It can be stopped, and undone. */
export function Running({ many, title, doneTitle, operation, close }: RunningProps): VNode {
  const { api, apiKey, resource, query, selection, references, onEnded } = many;
  const start: Shown = { phase: 'running', tally: { done: 0, failures: [] }, total: selection.count };
  const [shown, setShown] = useState(start);
  const latest = useRef(start);
  const controller = useRef(new AbortController());
  const traces = useRef<Traces>(undefined);
  const isOpen = useRef(true);
  const form = useRef<HTMLFormElement>(null);
  const canUndo = allows(apiKey, 'events', 'read');
  const show = (change: Partial<Shown>): void => {
    latest.current = { ...latest.current, ...change };
    setShown(latest.current);
  };
  /** The outcome. */
  const ended = ({ phase: at, tally: { done: count } }: Shown): string =>
    at === 'undone' ? texts.bulk.undone(count) : count === 0 ? texts.bulk.nothing : doneTitle(count);
  const isBusy = shown.phase === 'running' || shown.phase === 'undoing';
  const stop = (): void => controller.current.abort();

  const end = (phase: Shown['phase'], fault?: unknown): void => {
    show({ phase, ...(fault !== undefined && { fault: messageOf(fault) }) });
    onEnded(phase === 'ended' ? latest.current.tally.failures : undefined);
    // It was closed: a message tells what was done.
    if (!isOpen.current) toast(ended(latest.current));
  };
  const run = async (): Promise<void> => {
    const requestId = randomKey();
    const { signal } = controller.current;
    const onProgress = (tally: Tally): void => show({ tally });
    try {
      if (canUndo) traces.current = await beginTraces(api, requestId);
      const options = {
        operation,
        requestId,
        reasonOf: (error: unknown) => reasonOf(resource, error),
        onProgress,
        signal,
      };
      await new Run(api, resource, options).over(targetsOf(api, resource, query, selection));
      end('ended');
    } catch (error) {
      end('ended', error);
    }
  };
  const undo = async (): Promise<void> => {
    if (!traces.current) return;
    const { done } = latest.current.tally;
    controller.current = new AbortController();
    show({ phase: 'undoing', tally: { done: 0, failures: [] }, total: done });
    const onProgress = (tally: Tally, total: number): void => show({ tally, total });
    const options = { onProgress, signal: controller.current.signal };
    try {
      show({ tally: await undoRun(api, apiKey, traces.current, done, references, options) });
      end('undone');
    } catch (error) {
      end('undone', error);
    }
  };

  useEffect(() => {
    const warn = (event: Event): void => void (isRunning(latest.current) && event.preventDefault());
    addEventListener('beforeunload', warn);
    void run();
    return () => {
      removeEventListener('beforeunload', warn);
      isOpen.current = false;
      stop();
    };
  }, []);
  useEffect(() => form.current?.querySelector<HTMLElement>('.actions > :last-child')?.focus(), [shown.phase]);

  const { phase, tally, total, fault } = shown;
  const { done, failures } = tally;
  const keyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isBusy) return;
    event.preventDefault();
    stop();
  };
  return html`<form method="dialog" ref=${form} onKeyDown=${keyDown} aria-busy=${isBusy}>
    <h2 id="many-title">${phase === 'running' ? title : phase === 'undoing' ? texts.bulk.undoing : ended(shown)}</h2>
    ${
      isBusy &&
      html`<progress
          max=${Math.max(total, 1)}
          value=${done + failures.length}
          aria-label=${texts.dialog.progress}
        ></progress>
        <p>${texts.bulk.of(done + failures.length, total)}</p>`
    }
    <p role="status">
      ${!isBusy && failures.length > 0 && texts.bulk[phase === 'undone' ? 'notUndone' : 'failed'](failures.length)}
    </p>
    ${fault !== undefined && html`<p class="error-text" role="alert">${fault} ${texts.bulk.unknown}</p>`}
    ${!isBusy && failures.length > 0 && html`<${Failures} failures=${failures} />`}
    <div class="actions">
      ${
        phase === 'ended' &&
        canUndo &&
        done > 0 &&
        html`<button type="button" class="button" onClick=${() => void undo()}>${texts.dialog.undo}</button>`
      }
      ${
        isBusy
          ? html`<button type="button" class="button" key="stop" onClick=${stop}>${texts.dialog.stop}</button>`
          : html`<button type="button" class="button primary" key="close" onClick=${close}>
              ${texts.dialog.close}
            </button>`
      }
    </div>
  </form>`;
}

const isRunning = ({ phase }: Shown): boolean => phase === 'running' || phase === 'undoing';
