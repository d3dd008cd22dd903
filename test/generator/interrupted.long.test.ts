import './interrupted.test.ts';
