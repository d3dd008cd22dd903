import './large-specs.test.ts';
