import './crash.test.ts';
