import './dev.test.ts';
