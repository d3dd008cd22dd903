import './keywords.test.ts';
