/** The exit codes of all commands; their help and docs/operations.md say the same. */
export const exitCodes = {
  done: 0,
  /** Also if only some rows of an import were rejected. */
  failed: 1,
  wrongArguments: 2,
  /** Of `migrate --plan`. */
  somethingToDo: 3,
  /** Of an import that a signal has stopped in order. */
  interrupted: 130,
} as const;
