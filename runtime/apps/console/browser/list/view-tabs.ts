import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { valueOf } from '../events.ts';
import { hrefOf, navigate } from '../route.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import { Popover } from './popover.ts';
import { keepView, removeView, useViews, type View } from './views.ts';

interface ViewTabsProps {
  /** The route of the resource. */
  readonly resource: string;
  /** The list as it is shown: see `viewParameters`. */
  readonly parameters: string;
}

interface ViewEditorProps {
  readonly view: View;
  /** Undefined for a view that is not kept yet. */
  readonly remove: (() => void) | undefined;
  readonly keep: (view: View) => void;
}

/** Names a view, and says whether the start page shows it. */
function ViewEditor({ view, remove, keep }: ViewEditorProps): VNode {
  const [name, setName] = useState(view.name);
  const [isFavourite, setFavourite] = useState(view.isFavourite);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') keep({ ...view, name: name.trim(), isFavourite });
  };
  return html`<form class="filter-editor" onSubmit=${submit}>
    <label for="view-name">${texts.views.name}</label>
    <input
      id="view-name"
      required
      maxlength="60"
      autocomplete="off"
      value=${name}
      onInput=${(event: Event) => setName(valueOf(event))}
    />
    <label class="switch">
      <input type="checkbox" checked=${isFavourite} onChange=${() => setFavourite(!isFavourite)} />
      ${texts.views.favourite}
    </label>
    <div class="actions">
      ${remove && html`<button type="button" class="button quiet" onClick=${remove}>${texts.views.remove}</button>`}
      <button class="button primary">${texts.views.keep}</button>
    </div>
  </form>`;
}

/** Moves the focus from a button that goes away to the view that is shown, or to the heading. */
const focusShown = (): void =>
  void requestAnimationFrame(() => {
    const views = document.querySelector<HTMLElement>('.views [aria-current]');
    (views ?? document.querySelector<HTMLElement>('.list h1'))?.focus();
  });

/** Does something with the views that are kept. */
const tellUnkept = (isKept: boolean): void => {
  if (!isKept) toast(texts.views.notKept, { isError: true });
};

interface SaveViewProps extends ViewTabsProps {
  /** The columns that are shown, if the URL does not say them. */
  readonly kept: string;
}

/** The lists of a resource that have a name, and the way to all of its records. */
export function ViewTabs({ resource, parameters }: ViewTabsProps): VNode {
  const views = useViews(resource);
  const [edited, setEdited] = useState<View>();
  const close = (): void => setEdited(undefined);
  if (views.length === 0) return html``;
  const keep = (view: View, before: View): void => {
    close();
    tellUnkept(keepView(view, before));
  };
  const tab = (view: View): VNode => {
    const isCurrent = view.parameters === parameters;
    const editor = (): VNode =>
      html`<${Popover} label=${texts.views.edit(view.name)} close=${close}>
        <${ViewEditor}
          view=${view}
          keep=${(changed: View) => keep(changed, view)}
          remove=${() => {
            close();
            tellUnkept(removeView(view));
            focusShown();
          }}
        />
      <//>`;
    return html`<li key=${view.name}>
      <a
        href=${hrefOf(resource, undefined, new URLSearchParams(view.parameters))}
        aria-current=${isCurrent ? 'page' : undefined}
      >
        ${view.name}
      </a>
      ${
        isCurrent &&
        html`<button
          class="icon-button"
          aria-label=${texts.views.edit(view.name)}
          title=${texts.views.edit(view.name)}
          aria-haspopup="dialog"
          aria-expanded=${edited?.name === view.name}
          onClick=${() => setEdited(view)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="2.4" /></svg>
        </button>`
      }
      ${edited?.name === view.name && editor()}
    </li>`;
  };
  return html`<nav class="views" aria-label=${texts.views.views}>
    <ul>
      <li><a href=${hrefOf(resource)} aria-current=${parameters === '' ? 'page' : undefined}>${texts.views.all}</a></li>
      ${views.map(tab)}
    </ul>
  </nav>`;
}

/** The button that gives a list a name; undefined if there is nothing to name, or it has one. */
export function SaveView({ resource, parameters, kept }: SaveViewProps): VNode {
  const views = useViews(resource);
  const [isOpen, setOpen] = useState(false);
  /** The view that was seen last: what was changed in it can take its place. */
  const last = useRef('');
  const current = views.find((view) => view.parameters === parameters);
  if (current) last.current = current.name;
  if (current || kept === '') return html``;
  const before = views.find(({ name }) => name === last.current);
  const view: View = {
    resource,
    name: before?.name ?? '',
    parameters: kept,
    isFavourite: before?.isFavourite ?? false,
  };
  const keep = (named: View): void => {
    setOpen(false);
    const isKept = keepView(named);
    tellUnkept(isKept);
    if (!isKept) return;
    void navigate(hrefOf(resource, undefined, new URLSearchParams(kept)), { replace: true });
    focusShown();
  };
  return html`<span class="popover-place">
    <button class="button quiet" aria-haspopup="dialog" aria-expanded=${isOpen} onClick=${() => setOpen(true)}>
      ${texts.views.save}
    </button>
    ${
      isOpen &&
      html`<${Popover} label=${texts.views.save} close=${() => setOpen(false)}>
        <${ViewEditor} view=${view} keep=${keep} remove=${undefined} />
      <//>`
    }
  </span>`;
}
