import type { Attack } from '../attack.ts';
import { leadPath, requestOf } from '../requests.ts';

/** The fields that leads are searched by. */
const fields = ['lead_name', 'company_name', 'first_name', 'last_name', 'email_id'];

/** Creates a lead with this text in each of these fields, ten times, one after the other. */
const create = (name: string, what: string, text: string): Attack => ({
  name,
  what: `ten creates with ${what} in each searched field`,
  async run(target) {
    const values = Object.fromEntries(fields.map((field) => [field, text]));
    const request = requestOf('POST', leadPath, { body: JSON.stringify(values), last: true });
    for (let n = 0; n < 10; n++) await target.exchange(request);
  },
});

export const searchAttacks: readonly Attack[] = [
  create('runs-of-marks', '64,000 combining marks', `a${'\u0315\u0300'.repeat(32_000)}`),
  create('long-expansions', '65,000 characters that fold to 18 each', '\ufdfa'.repeat(65_000)),
];
