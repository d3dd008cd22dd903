import './values.test.ts';
