import './model.test.ts';
