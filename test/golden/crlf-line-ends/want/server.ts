// Generated from spec/service.yaml. Edit the spec, then run `npm run generate`.
import { serve } from '../runtime/index.ts';
import { service } from './app.ts';

await serve(service);
