import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { valueOf } from '../events.ts';
import type { Resource } from '../model.ts';
import { References, ReferencesContext, type Session } from '../reference.ts';
import { hrefOf, navigate } from '../route.ts';
import { texts } from '../texts.ts';
import { type EventFilters, operationText } from './events.ts';
import { Events } from './list.ts';

/** The names of the operations of resources, as events have them. */
const operationsOf = (resources: readonly Resource[]): readonly string[] => {
  const transitions = resources.flatMap((resource) => resource.transitions.map(({ name }) => name));
  const archiving = resources.some(({ archive }) => archive) ? ['archive', 'unarchive'] : [];
  return [...new Set(['create', 'update', 'delete', 'reorder', ...archiving, ...transitions])];
};

interface ActivityProps {
  readonly session: Session;
  /** The filters, by their names in the API. */
  readonly parameters: URLSearchParams;
}

/** The page of the latest events of all resources that the key may read. */
export function Activity({ session, parameters }: ActivityProps): VNode {
  const { api, key: apiKey, model } = session;
  const [turn, setTurn] = useState(0);
  // An undo deletes records and restores them.
  const references = useMemo(() => new References(session), [turn]);
  const resources = [...model.resources.values()].filter(({ route }) => references.resourceOf(route));
  const entries = ['resource', 'operation', 'actor'].map((name) => [name, parameters.get(name) ?? ''] as const);
  const filters: EventFilters = Object.fromEntries(entries.filter(([, value]) => value !== ''));
  const set = (event: Event): void => {
    const { name } = event.target as HTMLInputElement;
    const next = { ...filters, [name]: valueOf(event).trim() };
    const query = new URLSearchParams(Object.entries(next).filter(([, value]) => value !== ''));
    void navigate(hrefOf('activity', undefined, query), { replace: true });
  };
  const choice = (name: 'resource' | 'operation', options: readonly (readonly [string, string])[]): VNode =>
    html`<label>
      ${texts.history[name]}
      <select name=${name} value=${filters[name] ?? ''} onChange=${set}>
        <option value="">${texts.history.all}</option>
        ${options.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
      </select>
    </label>`;
  const chosen = resources.filter(({ route }) => [undefined, route].includes(filters.resource));
  const operations = operationsOf(chosen).map((name) => [name, operationText(name)] as const);
  return html`<${ReferencesContext.Provider} value=${references}>
    <h1 tabindex="-1">${texts.shell.activity}</h1>
    <div class="activity-filters">
      ${choice(
        'resource',
        resources.map(({ route, area, plural }) => [route, `${area}: ${plural}`]),
      )}
      ${choice('operation', operations)}
      <label
        >${texts.history.actor} <input name="actor" value=${filters.actor ?? ''} autocomplete="off" onChange=${set}
      /></label>
    </div>
    <${Events} ...${{ api, apiKey, filters, turn, hasRecords: true, onUndone: () => setTurn(turn + 1) }} />
  <//>`;
}
