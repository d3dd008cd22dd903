// Generated from spec/service.yaml. Edit the spec, then run `npm run generate`.
import { main } from '../runtime/index.ts';
import { service } from './app.ts';

await main(service);
