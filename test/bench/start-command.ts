import manifest from '../../package.json' with { type: 'json' };

// exec env <variables> node <flags> <program>
const words = manifest.scripts.start.split(' ').slice(2);

/** Variables of the environment that `npm start` gives a service. */
export const startVariables = Object.fromEntries(
  words.filter((word) => /^\w+=/.test(word)).map((word) => word.split('=') as [string, string]),
);

/** Node's options in `npm start`. */
export const startFlags = words.slice(words.indexOf('node') + 1, -1);
