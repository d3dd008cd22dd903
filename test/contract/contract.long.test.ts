import './contract.test.ts';
