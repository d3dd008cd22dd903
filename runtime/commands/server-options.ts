/** Which server is asked: see `CommandContext.server`. */
export const serverOptions = { url: { type: 'string' } } as const;

export const serverHelp = `  --url URL              the server (default: http://127.0.0.1:3000, or another PORT)
  --help, -h             prints this

The API key is in the variable API_KEY. For a server of this machine, it may be the first of API_KEYS instead, or
in the file api-key beside the database.`;
