/** The exit codes of all commands; their help and docs/operations.md say the same. */
export const exitCodes = {
  done: 0,
  /** Also if only some rows of an import were rejected. */
  failed: 1,
  wrongArguments: 2,
  /** `migrate --plan` found steps. */
  somethingToDo: 3,
  /** A signal stopped an import, which ended in order. */
  interrupted: 130,
} as const;
