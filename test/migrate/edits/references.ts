import type { Edit } from './edit.ts';

const thing = 'fields: { name: { max_length: 50 } }';
const to = (targets: string, more = ''): string =>
  `fields: { name, of_id: { references: ${targets}${more && `, ${more}`} } }`;
const three = { lead: thing, customer: thing, partner: thing };
const rows = `l = lead { name: L }
  c = customer { name: C }
  p = partner { name: P }`;
const call = (targets: readonly string[], more?: string): string =>
  to(`[${targets.map((name) => `~/${name}`).join(', ')}]`, more);

/** Edits of references. */
export const referenceEdits: readonly Edit[] = [
  {
    edit: 'a reference names records of several resources from now on',
    before: { ...three, call: to('~/customer', 'inverse: calls') },
    after: { call: call(['customer', 'lead'], 'inverse: calls') },
    changes: 'call/of_id/references/widened, call/of_id/inverse/added',
    rows: `${rows}
      a = call { of_id: $c }
      a: { of_id: null }
      a: { of_id: $l } => 409 reference_missing`,
    next: `a: { of_id: $l } => { of_id: $l }
      call?of_id=$l => [a]
      l.delete => 409 still_referenced
      a.undo => { of_id: null }
      a.undo 2 => { of_id: $c }
      c.delete => 409 still_referenced`,
  },
  {
    edit: 'a reference names records of one resource again, and no row another',
    before: { ...three, call: call(['customer', 'lead'], 'inverse: calls') },
    after: { call: to('~/customer', 'inverse: calls') },
    changes: '!call/of_id/references/changed, !call/of_id/inverse/removed',
    rows: `${rows}
      a = call { of_id: $l }
      a: { of_id: $c }`,
    next: `a => { of_id: $c }
      a.undo => 409 reference_missing
      a.delete
      l.delete
      c.delete`,
  },
  {
    edit: 'a reference names records of one resource again, and a row another',
    before: { ...three, call: call(['customer', 'lead']) },
    after: { call: to('~/customer') },
    changes: '!call/of_id/references/changed',
    refused: [
      'The field of_id of call_N references customer_N',
      'names records that do not exist',
      '("lead_N_',
      'Correct these values',
    ],
    rows: `${rows}
      a = call { of_id: $l }
      b = call { of_id: $c }`,
    mended: 'a: { of_id: $c }',
    next: `a.undo => 409 reference_missing
      call?of_id=$c => [b, a]
      l.delete`,
  },
  {
    edit: 'one of three resources goes from a reference',
    before: { ...three, call: call(['customer', 'lead', 'partner'], 'on_delete: cascade') },
    after: { call: call(['customer', 'partner'], 'on_delete: cascade') },
    changes: '!call/of_id/references/changed',
    refused: ['The field of_id of call_N references', '("lead_N_'],
    rows: `${rows}
      a = call { of_id: $l }
      b = call { of_id: $p }`,
    mended: 'l.delete',
    next: `call? => [b]
      p.delete
      call? => []
      p.undo => { name: P }`,
  },
  {
    edit: 'a resource goes, and a reference to it with it',
    before: { ...three, call: call(['customer', 'lead'], 'inverse: calls') },
    after: { lead: null, call: to('~/customer', 'inverse: calls') },
    changes: '!lead/removed, !call/of_id/references/changed, !call/of_id/inverse/removed',
    rows: `${rows}
      a = call { of_id: $c }`,
    next: `a => { of_id: $c }
      a: { of_id: $l } => 409 reference_missing
      l => 404 not_found`,
  },
  {
    edit: 'a text becomes a reference to several resources, and a row names none',
    before: { ...three, call: 'fields: { name, of_id: }' },
    after: { call: call(['customer', 'lead']) },
    changes: 'call/list/filter/of_id/added, !call/of_id/references/added',
    refused: ['The field of_id of call_N references', '("nobody")'],
    rows: `${rows}
      a = call { of_id: nobody }
      b = call { of_id: $l }`,
    mended: 'a: { of_id: null }',
    next: `b => { of_id: $l }
      a.undo => 409 reference_missing
      l.delete => 409 still_referenced`,
  },
  {
    edit: 'values of a text that name no record become null',
    before: { customer: thing, call: 'fields: { name, of_id: }' },
    after: { call: to('~/customer', 'on_missing: set_null') },
    changes: 'call/list/filter/of_id/added, !call/of_id/references/added',
    changed: ['of_id'],
    rows: `c = customer { name: C }
      a = call { name: A }
      a: { of_id: nobody }
      b = call { of_id: $c }`,
    next: `a => { of_id: null }
      b => { of_id: $c }
      a.undo => 409 changed_since
      c.delete => 409 still_referenced`,
  },
  {
    edit: 'a delete cascades from now on',
    before: { customer: thing, call: to('~/customer') },
    after: { call: to('~/customer', 'on_delete: cascade') },
    changes: '!call/of_id/on_delete/changed',
    rows: `c = customer { name: C }
      a = call { of_id: $c, name: A }
      c.delete => 409 still_referenced`,
    next: `c.delete
      a => 404 not_found
      a.undo => 409 reference_missing
      c.undo => { name: C }
      a.undo => { of_id: $c, name: A }`,
  },
  {
    edit: 'a delete no longer cascades',
    before: { customer: thing, call: to('~/customer', 'on_delete: cascade') },
    after: { call: to('~/customer', 'on_delete: set_null') },
    changes: '!call/of_id/on_delete/changed',
    rows: `c = customer { name: C }
      d = customer { name: D }
      a = call { of_id: $c, name: A }
      b = call { of_id: $d, name: B }
      d.delete`,
    next: `c.delete
      a => { of_id: null, name: A }
      d.undo => { name: D }
      b.undo => { of_id: $d, name: B }`,
  },
  {
    edit: 'a delete is refused from now on',
    before: { customer: thing, call: to('~/customer', 'on_delete: set_null') },
    after: { call: to('~/customer') },
    changes: '!call/of_id/on_delete/changed',
    rows: `c = customer { name: C }
      a = call { of_id: $c, name: A }`,
    next: `c.delete => 409 still_referenced
      a.delete
      c.delete`,
  },
  {
    edit: 'an inverse comes',
    before: { customer: thing, call: to('~/customer') },
    after: { call: to('~/customer', 'inverse: calls') },
    changes: 'call/of_id/inverse/added',
    rows: `c = customer { name: C }
      a = call { of_id: $c }
      b = call { of_id: $c }`,
    next: `customer?expand=calls => [c]
      a: { of_id: null }
      a.undo => { of_id: $c }`,
  },
  {
    edit: 'the resource that a reference names is renamed',
    before: { customer: thing, call: to('~/customer', 'inverse: calls') },
    after: { customer: null, client: `${thing} | renamed_from: customer_N`, call: to('~/client', 'inverse: calls') },
    changes: '!customer/moved, !customer/renamed, customer/title/changed, customer/plural/changed',
    stops: true,
    rows: `c = customer { name: C }
      a = call { of_id: $c }
      a: { of_id: null }`,
    next: `c is client
      c => { name: C }
      d = client { name: D }
      a.undo => { of_id: $c }
      client?expand=calls => [d, c]
      c.delete => 409 still_referenced`,
  },
  {
    edit: 'a reference names another resource',
    before: { ...three, call: to('~/customer') },
    after: { call: to('~/lead') },
    changes: '!call/of_id/references/changed',
    refused: ['The field of_id of call_N references lead_N', '("customer_N_'],
    rows: `${rows}
      a = call { of_id: $c }`,
    mended: 'a: { of_id: null }',
    next: `a: { of_id: $l } => { of_id: $l }
      a.undo => { of_id: null }
      a.undo 2 => 409 reference_missing
      c.delete`,
  },
];
