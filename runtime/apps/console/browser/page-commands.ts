import { useLayoutEffect } from 'preact/hooks';

/** An action of the page that is shown. */
interface PageCommand {
  readonly text: string;
  readonly run: () => void;
}

let current: readonly PageCommand[] = [];

/** The actions that the page offers in a menu, which the search over everything finds, too. */
export const pageCommands = (): readonly PageCommand[] => current;

/** Offers actions as long as a component is shown, which is the only one on its page that does. */
export function usePageCommands(commands: readonly PageCommand[]): void {
  useLayoutEffect(() => {
    current = commands;
    return () => {
      current = [];
    };
  });
}
