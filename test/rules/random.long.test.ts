import { longRounds } from '../support/seed.ts';
import { testWriters } from './random.ts';

testWriters(longRounds(1_000, 20_000));
