/** The runtime where the generated code next to it imports it from: this folder stands for the root of a project. */
export * from '../../../runtime/index.ts';
