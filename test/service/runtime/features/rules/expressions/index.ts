/** The rules of the runtime, as `../index.ts` is its server. */
export * from '../../../../../../runtime/features/rules/expressions/index.ts';
