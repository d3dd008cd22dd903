/** The path of the Model Context Protocol. */
export const mcpPath = '/mcp';

/** The headers that clients of the protocol send (Streamable HTTP, in its revisions of 2025 and 2026). */
export const mcpHeaders: readonly string[] = ['Mcp-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name'];
