import { expect, test } from 'vitest';

import { readReplicaOptions } from '../../runtime/features/replicas/feature.ts';

test('READ_DATABASE_URL takes standbys only, however that is written', () => {
  for (const query of ['', '?target_session_attrs=prefer-standby', '?target_session_attrs=standby']) {
    const options = readReplicaOptions(`postgres://a:1,b:2/d${query}`);
    expect(options).toMatchObject({ needs: 'standby', hostNames: 'a:1, b:2' });
  }
  const read = (): unknown => readReplicaOptions('postgres://h/d?target_session_attrs=any');
  expect(read).toThrow(/^READ_DATABASE_URL is not valid: target_session_attrs must be one of prefer-standby, standby/);
});
