import { longRounds } from '../support/seed.ts';
import { historyCases } from './history-cases.ts';

historyCases(longRounds(3_000, 5_000));
