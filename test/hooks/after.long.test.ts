import './after.test.ts';
