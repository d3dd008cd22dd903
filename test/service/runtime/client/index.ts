/** The runtime's client, at the path that the generated client imports. */
export * from '../../../../runtime/client/index.ts';
