import { testWriters } from './random.ts';

testWriters(400);
