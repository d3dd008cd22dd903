import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Value } from './api.ts';
import { RecordLink } from './reference.ts';
import type { StageOf } from './stages.ts';
import { isBlank, shorten } from './text.ts';
import { type ShownField, textOf } from './value-text.ts';

interface CellProps {
  readonly value: Value | undefined;
  readonly field: ShownField;
  /** The stages of the values of a state field. */
  readonly stageOf?: StageOf | undefined;
  /** The least decimals of a number. */
  readonly decimals?: number;
  /** It stands in a link, and so has none. */
  readonly isInLink?: boolean;
}

/** A state as a pill, in the colour of its meaning. */
export const State = ({ text, field, stageOf }: Pick<CellProps, 'field' | 'stageOf'> & { text: string }): VNode =>
  html`<span class="state" data-stage=${stageOf?.(text)} data-color=${field.colors?.[text]}>
    <bdi>${shorten(text)}</bdi>
  </span>`;

/**
 * A value in a table or a list: shortened, and isolated, so that no bidirectional control in it reorders what is around.
 */
export function Cell({ value, field, stageOf, decimals, isInLink = false }: CellProps): VNode {
  const text = textOf(value, field, decimals);
  if (isBlank(text)) return html`<span class="none">–</span>`;
  if (field.references) return html`<${RecordLink} route=${field.references} id=${text} isText=${isInLink} />`;
  const short = shorten(text);
  const title = short === text ? undefined : shorten(text, 500);
  if (stageOf || field.colors) return html`<${State} ...${{ text, field, stageOf }} />`;
  return html`<bdi title=${title}>${short}</bdi>`;
}
