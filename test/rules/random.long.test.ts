import { longRounds } from '../support/seed.ts';
import { testWriters } from './random.ts';

testWriters(longRounds(600, 20_000));
