import { longRounds } from '../support/seed.ts';
import { testWriters } from './random.ts';

testWriters(longRounds(1_600, 20_000));
