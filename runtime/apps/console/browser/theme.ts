import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { valueOf } from './events.ts';

const storageName = 'console-theme';

/** The theme that was chosen in this browser, `light` or `dark`; otherwise that of the system. */
const chosenTheme = (): string => localStorage.getItem(storageName) ?? 'system';

/** Shows the chosen theme: the style sheet does the rest. */
export const applyTheme = (): void => void (document.documentElement.dataset['theme'] = chosenTheme());

/** Chooses between the theme of the system, light and dark. */
export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState(chosenTheme());
  const choose = (event: Event): void => {
    const chosen = valueOf(event);
    if (chosen === 'system') localStorage.removeItem(storageName);
    else localStorage.setItem(storageName, chosen);
    applyTheme();
    setTheme(chosen);
  };
  return html`<select class="theme" aria-label="Theme" title="Theme" value=${theme} onChange=${choose}>
    <option value="system">System</option>
    <option value="light">Light</option>
    <option value="dark">Dark</option>
  </select>`;
}
