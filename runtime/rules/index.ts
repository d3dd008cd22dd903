/** What the generated files of rules use, on the server and in browsers. */
export { logic } from './logic.ts';
