import './finding.test.ts';
