import './output.test.ts';
