/** As the system has it, or as was chosen here. */
export type Theme = 'system' | 'light' | 'dark';

const name = 'console-theme';

/** The theme that was chosen in this browser. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(name);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Shows a theme, and remembers it. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(name);
  else localStorage.setItem(name, theme);
  applyTheme();
}

/** Shows the chosen theme: the style sheet does the rest. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
