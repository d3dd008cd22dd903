import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { chooseTheme, chosenTheme, type Theme } from './theme.ts';

/** Chooses between the theme of the system, light and dark. */
export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState(chosenTheme());
  const choose = (event: Event): void => {
    const chosen = (event.target as HTMLSelectElement).value as Theme;
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return html`<select class="theme" aria-label="Theme" value=${theme} onChange=${choose}>
    <option value="system">System</option>
    <option value="light">Light</option>
    <option value="dark">Dark</option>
  </select>`;
}
