import { testWriters } from './random.ts';

testWriters(20_000);
