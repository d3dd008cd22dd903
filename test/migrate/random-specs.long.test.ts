import './random-specs.test.ts';
