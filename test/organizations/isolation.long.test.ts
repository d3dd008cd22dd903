import './isolation.test.ts';
