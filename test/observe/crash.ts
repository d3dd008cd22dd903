// A program that logs, and then crashes.
import { log, openLog } from '../../runtime/observability/log.ts';

await openLog('info');
log.info('before the crash');
for (let n = 0; n < 3; n++) log.repeated('warn', 'a flood', {});
throw new Error('the crash');
