import './agency.test.ts';
