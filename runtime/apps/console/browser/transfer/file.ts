import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';

export const fileNameOf = ({ route }: Pick<Resource, 'route'>): string => route.split('/').at(-1) as string;

/** Hands a file to whoever uses the browser. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export const Progress = ({ done, of }: { done: number; of: number }): VNode =>
  html`<progress max=${Math.max(of, 1)} value=${done} aria-label=${texts.dialog.progress}></progress>`;
