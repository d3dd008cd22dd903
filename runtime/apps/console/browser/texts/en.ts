const integers = new Intl.NumberFormat();

/** A number with its noun: "1 record", "1,204 records". */
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${integers.format(count)} ${count === 1 ? one : many}`;

/** All that the console says, in English: an object for each of its rooms. Those with values are functions. */
export const english = {
  /** The sign-in, and what stands on every page. */
  shell: {
    signIn: 'Sign in',
    signingIn: 'Signing in…',
    signOut: 'Sign out',
    apiKey: 'API key',
    enterKey: 'Enter an API key.',
    aboutKey:
      'With the API key that your administrator has given you. It is kept until you sign out or close this tab.',
    wrongKey: 'This key is not valid. Check that it is complete, and that it has not expired or been revoked.',
    keyEnded: 'Your key is no longer valid. Sign in again to go on.',
    opening: 'Opening…',
  },
  /** Values, as every page shows them. */
  values: {
    yes: 'Yes',
    no: 'No',
    none: 'No value',
  },
  /** Dialogs and messages. */
  dialog: {
    cancel: 'Cancel',
    close: 'Close',
    unreachable: 'The server cannot be reached. Check the connection, then try again.',
    unexpected: 'Something went wrong. Reload the page.',
    partMissing: 'A part of the console could not be loaded. Check the connection.',
    tryAgain: 'Try again',
    undo: 'Undo',
  },
  /** Counts with their nouns. */
  counts: {
    records: (count: number): string => counted(count, 'record'),
    rows: (count: number): string => counted(count, 'row'),
    items: (count: number): string => counted(count, 'item'),
    lineItems: (count: number): string => counted(count, 'line item'),
    moreFields: (count: number): string => counted(count, 'more field'),
    characters: (count: number): string => counted(count, 'character'),
  },
};
