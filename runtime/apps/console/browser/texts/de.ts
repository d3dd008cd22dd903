import type { Texts } from '../texts.ts';

const integers = new Intl.NumberFormat();

/** A number with its noun: "1 Datensatz", "1.204 Datensätze". */
const counted = (count: number, one: string, many: string): string =>
  `${integers.format(count)} ${count === 1 ? one : many}`;

/** All that the console says, in German. */
export const german: Texts = {
  shell: {
    signIn: 'Anmelden',
    signingIn: 'Anmeldung läuft …',
    signOut: 'Abmelden',
    apiKey: 'API-Schlüssel',
    enterKey: 'Geben Sie einen API-Schlüssel ein.',
    aboutKey:
      'Mit dem API-Schlüssel, den Sie von Ihrer Administration erhalten haben. Er bleibt gespeichert, bis Sie sich abmelden oder diesen Tab schließen.',
    wrongKey:
      'Dieser Schlüssel ist nicht gültig. Prüfen Sie, ob er vollständig ist und ob er abgelaufen oder widerrufen ist.',
    keyEnded: 'Ihr Schlüssel ist nicht mehr gültig. Melden Sie sich erneut an, um fortzufahren.',
    opening: 'Wird geöffnet …',
  },
  values: {
    yes: 'Ja',
    no: 'Nein',
    none: 'Kein Wert',
  },
  dialog: {
    cancel: 'Abbrechen',
    close: 'Schließen',
    unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    unexpected: 'Etwas ist schiefgegangen. Laden Sie die Seite neu.',
    partMissing: 'Ein Teil der Konsole konnte nicht geladen werden. Prüfen Sie die Verbindung.',
    tryAgain: 'Erneut versuchen',
    undo: 'Rückgängig',
  },
  counts: {
    records: (count) => counted(count, 'Datensatz', 'Datensätze'),
    rows: (count) => counted(count, 'Zeile', 'Zeilen'),
    items: (count) => counted(count, 'Position', 'Positionen'),
    lineItems: (count) => counted(count, 'Position', 'Positionen'),
    moreFields: (count) => counted(count, 'weiteres Feld', 'weitere Felder'),
    characters: (count) => counted(count, 'Zeichen', 'Zeichen'),
  },
};
