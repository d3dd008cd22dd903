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
  /** Search, filters and order of a list. */
  filters: {
    search: 'Search',
    order: 'Order',
    newestFirst: 'Newest first',
    filter: 'Filter',
    filters: 'Filters',
    remove: (filter: string): string => `Remove the filter ${filter}`,
    clear: 'Clear',
    archived: 'Archived',
    field: 'Field',
    condition: 'Condition',
    value: 'Value',
    commaValues: 'Values separated by commas',
    add: 'Add filter',
    apply: 'Apply',
    isEmpty: 'is empty',
    isNotEmpty: 'is not empty',
    text: {
      eq: 'is',
      ne: 'is not',
      in: 'is any of',
      prefix: 'starts with',
      gt: 'comes after',
      gte: 'is or comes after',
      lt: 'comes before',
      lte: 'is or comes before',
      has: 'contains',
    },
    number: { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤', in: 'is any of', has: 'contains' },
    date: {
      eq: 'is',
      ne: 'is not',
      gt: 'is after',
      gte: 'is on or after',
      lt: 'is before',
      lte: 'is on or before',
      in: 'is any of',
      has: 'contains',
    },
    when: 'Day',
    exactly: 'A date…',
    periods: {
      today: 'today',
      'today-1d': 'yesterday',
      'today+1d': 'tomorrow',
      'this-week': 'this week',
      'last-week': 'last week',
      'next-week': 'next week',
      'this-month': 'this month',
      'last-month': 'last month',
      'next-month': 'next month',
      'this-year': 'this year',
      'last-year': 'last year',
      'next-year': 'next year',
    },
    days: 'Days',
    distances: {
      last: 'in the last … days',
      next: 'in the next … days',
      ago: '… days ago',
      ahead: 'in … days',
    },
    lastDays: (days: number): string =>
      days === 1 ? 'yesterday or today' : `in the last ${integers.format(days)} days`,
    nextDays: (days: number): string =>
      days === 1 ? 'today or tomorrow' : `in the next ${integers.format(days)} days`,
    daysAgo: (days: number): string => `${integers.format(days)} days ago`,
    inDays: (days: number): string => `in ${integers.format(days)} days`,
  },
  /** The columns of a list. */
  columns: {
    columns: 'Columns',
    more: (count: number): string => counted(count, 'more column'),
    showMore: 'Scroll to the next columns',
    move: (title: string): string => `Move ${title}`,
    width: (title: string): string => `Width of ${title}, in pixels`,
    automatic: 'auto',
    reset: 'As at first',
    find: 'Find a field',
  },
  /** Lists with a name. */
  views: {
    views: 'Views',
    all: 'All',
    save: 'Save view',
    edit: (name: string): string => `Change the view ${name}`,
    name: 'Name',
    favourite: 'On the start page',
    keep: 'Save',
    remove: 'Remove',
    notKept: 'This browser keeps nothing: allow the page to store data.',
  },
  /** Lists and records on paper. */
  print: {
    print: 'Print',
    printed: (date: string, from: string): string => `Printed on ${date} from ${from}`,
    first: (count: number, total: number): string =>
      `The first ${integers.format(count)} of ${integers.format(total)} records`,
    search: (words: string): string => `Search: ${words}`,
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
