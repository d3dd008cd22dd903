import { historyCases } from './history-cases.ts';

historyCases(5_000);
