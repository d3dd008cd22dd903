import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';

import { projectRoot, type TestServer, testKey } from '../support/server.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A record in a result, with its ETag. */
export interface Shown {
  readonly record: Json & { readonly id: string };
  readonly etag: string;
}

/** The revisions of the protocol: those of 2025, and the one of 2026. */
export type Mode = 'legacy' | 'auto';

/** An agent: the client library that desktop clients are made with. */
export class TestAgent implements AsyncDisposable {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  /** One that speaks to a server over HTTP. */
  static async overHttp({ url }: TestServer, key = testKey, mode: Mode = 'legacy'): Promise<TestAgent> {
    const agent = new TestAgent(new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } }));
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await agent.client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    return agent;
  }

  /** One that speaks to `npm run mcp`. */
  static async overStdio({ url }: TestServer, mode: Mode = 'legacy'): Promise<TestAgent> {
    const agent = new TestAgent(new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } }));
    const program = {
      command: process.execPath,
      args: ['generated/server.ts', 'mcp', '--url', url],
      cwd: projectRoot,
      env: { PATH: process.env['PATH'] ?? '', API_KEY: testKey },
    };
    await agent.client.connect(new StdioClientTransport(program));
    return agent;
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  call(name: string, args: object = {}): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: args as Record<string, unknown> }) as Promise<CallToolResult>;
  }

  /** The structured content of a call that succeeds. */
  async done<T = Json>(name: string, args: object = {}): Promise<T> {
    const { isError = false, structuredContent, content } = await this.call(name, args);
    expect(isError, JSON.stringify(content)).toBe(false);
    // Clients that know no structured content read the same as text.
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    return structuredContent as T;
  }

  /** The problem of a call that fails. */
  async fails(name: string, args: object = {}): Promise<Json & { readonly code: string; readonly remedy?: string }> {
    const { isError = false, structuredContent, content } = await this.call(name, args);
    expect(isError, JSON.stringify(content)).toBe(true);
    const [problem, remedy] = content.map((part) => (part.type === 'text' ? part.text : ''));
    expect(JSON.parse(problem ?? '')).toEqual(structuredContent);
    return { ...(structuredContent as Json & { readonly code: string }), ...(remedy !== undefined && { remedy }) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}
