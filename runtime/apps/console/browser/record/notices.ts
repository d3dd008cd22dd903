import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { type Draft, recordKey } from './draft.ts';
import type { Notice } from './failure.ts';

const box = (title: string, texts: readonly string[]): VNode =>
  html`<div class="notice" role="alert" tabindex="-1">
    <strong>${title}</strong>
    ${texts.map((text) => html`<span key=${text}>${text}</span>`)}
  </div>`;

interface NoticesProps {
  readonly draft: Draft;
  readonly notice: Notice | undefined;
  readonly isGone: boolean;
}

/** The messages above the fields: why nothing was saved, and what to do. */
export function Notices({ draft, notice, isGone }: NoticesProps): VNode {
  const { others = [] } = draft.errors.get(recordKey) ?? {};
  const wrong = [...draft.errors.values()].reduce((sum, { fields }) => sum + Object.keys(fields).length, 0);
  const counts = wrong === 0 ? [] : [wrong === 1 ? 'One field is not valid.' : `${wrong} fields are not valid.`];
  const gone = 'Another user has deleted it. What you have typed stays here until you leave: copy what you need.';
  return html`
    ${isGone && box('This record is no longer there.', [gone])} ${notice && box(notice.title, [notice.advice])}
    ${counts.length + others.length > 0 && box('Not saved.', [...counts, ...others])}
  `;
}
