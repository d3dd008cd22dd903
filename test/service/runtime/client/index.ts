/** What clients are made of, where the generated client next to it imports it from. */
export * from '../../../../runtime/client/index.ts';
