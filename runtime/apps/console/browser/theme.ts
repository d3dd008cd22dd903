const storageName = 'console-theme';

/** The themes that there are; the first one is that of the system. */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The theme that was chosen in this browser. */
export const chosenTheme = (): Theme => {
  const stored = localStorage.getItem(storageName);
  return themes.find((theme) => theme === stored) ?? 'system';
};

/** Shows the chosen theme: the style sheet does the rest. */
export const applyTheme = (): void => void (document.documentElement.dataset['theme'] = chosenTheme());

/** Chooses a theme for this browser, and shows it. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, theme);
  applyTheme();
}
