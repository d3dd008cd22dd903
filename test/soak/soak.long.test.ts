import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';

import { describeEngine, engines } from '../support/databases.ts';
import { longRounds, seed } from '../support/seed.ts';
import { projectRoot } from '../support/server.ts';

/** With `TEST_FULL=1` long enough to notice slower growth. */
const [minutes, warmUp] = [longRounds(0.5, 1.25), longRounds(0.25, 0.5)];

for (const engine of engines) {
  describeEngine(engine, `a server in use for ${minutes} minutes`, () => {
    test('answers everything rightly, and neither grows nor forgets', async () => {
      const options = { minutes, 'warm-up': warmUp, database: engine.name === 'SQLite' ? 'sqlite' : 'postgres', seed };
      const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
      const soak = spawn(process.execPath, ['test/soak/soak.ts', ...words], { cwd: projectRoot });
      onTestFinished(() => void soak.kill());
      let output = '';
      for (const stream of [soak.stdout, soak.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      const [code] = await once(soak, 'close');
      console.info(output);
      expect(code, output).toBe(0);
    });
  });
}
