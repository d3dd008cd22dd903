/** The theme that the console was given in this browser, and that of the system otherwise: see its theme.ts. */
const apply = (): void =>
  void (document.documentElement.dataset['theme'] = localStorage.getItem('console-theme') ?? 'system');

addEventListener('storage', apply);
apply();
