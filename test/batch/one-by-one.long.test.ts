import './one-by-one.test.ts';
