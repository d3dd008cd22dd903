import { english } from './texts/en.ts';

/** All that the console says, in one language. */
export type Texts = typeof english;

/** The texts in the language of the browser, once they are loaded: English, unless it is German. */
export const texts: Texts = { ...english };

/** Loads the texts in the language of the browser, before anything is shown. @returns the language */
export async function loadTexts(): Promise<'en' | 'de'> {
  if (!navigator.language.toLowerCase().startsWith('de')) return 'en';
  try {
    const { german } = await import('./texts/de.ts');
    Object.assign(texts, german);
    return 'de';
  } catch {
    return 'en';
  }
}
