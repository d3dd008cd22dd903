import type { Value } from '../../../runtime/model/fields.ts';
import { isValueOf, rowOf, schemaOf } from '../../model/field-types.ts';
import type { Json } from '../json.ts';
import { basePath } from '../../../runtime/model/operations.ts';
import type { Field, Resource } from '../../model/model.ts';
import { memoize } from '../memoize.ts';
import { capitalize } from '../../model/names.ts';

/** The part of every id in examples that follows the name of its resource. */
const idDigits = '01M7Y4YG13000B0XK630YDQN92';

/** The id of a record in examples. */
export const idExample = (name: string): string => `${name}_${idDigits}`;

/** A time as the service writes it. */
export const timestampExample = '2026-01-31T11:30:00.000Z';

/** Strings that fields of such names often hold. The first row with words of the field's name counts. */
const texts: readonly (readonly [words: readonly string[], value: string])[] = [
  [['email_subject', 'subject'], 'The delivery is late'],
  [['email', 'raised_by', 'owner', 'qualified_by'], 'ann@example.com'],
  [['phone_ext'], '12'],
  [['phone', 'mobile', 'mobile_no', 'fax', 'whatsapp_no'], '+31 20 555 0100'],
  [['url', 'website', 'image', 'attachment'], 'https://example.com'],
  [['sales_invoice', 'invoice'], 'SINV-0001'],
  [['bank_account_no', 'account_no'], '0417164300'],
  [['iban'], 'NL91ABNA0417164300'],
  [['swift_number', 'bic'], 'ABNANL2A'],
  [['bank_charges_account'], 'Bank charges'],
  [['accounts_receivable'], 'Accounts receivable'],
  [['bank_account', 'account', 'account_head', 'debit_to'], 'Current account'],
  [['bank_guarantee_number'], 'BG-0001'],
  [['bank'], 'Example Bank'],
  [['cost_center'], 'Sales'],
  [['currency'], 'EUR'],
  [['address_line1'], 'Oudegracht 1'],
  [['address_line2'], 'Second floor'],
  [['address_title'], 'Head office'],
  [['address_display', 'address'], 'Oudegracht 1, 3511 AB Utrecht'],
  [['pincode', 'postal_code', 'postcode', 'zip'], '3511 AB'],
  [['city', 'county', 'state', 'named_place'], 'Utrecht'],
  [['country'], 'Netherlands'],
  [['territory', 'region'], 'Benelux'],
  [['language'], 'en'],
  [['timezone'], 'Europe/Amsterdam'],
  [['date_format'], 'yyyy-MM-dd'],
  [['supplier'], 'Initech'],
  [['competitor', 'competitor_name'], 'Hooli'],
  [['customer_group'], 'Wholesale'],
  [['customer', 'party_name'], 'Globex'],
  [['company'], 'Acme'],
  [['first_name'], 'Ann'],
  [['last_name'], 'Jansen'],
  [['full_name', 'lead_name', 'contact_person', 'contact_display', 'contact', 'lead'], 'Ann Jansen'],
  [['salutation'], 'Ms'],
  [['gender'], 'Female'],
  [['job_title'], 'Buyer'],
  [['industry', 'market_segment'], 'Machinery'],
  [['item_code', 'finished_good', 'serial_number'], 'BOLT-M8'],
  [['item_name'], 'Bolt M8'],
  [['item_group'], 'Fasteners'],
  [['uom', 'unit'], 'Piece'],
  [['warehouse', 'location'], 'Main warehouse'],
  [['brand'], 'Acme'],
  [['day_of_week'], 'Monday'],
  [['from_time', 'opening_time'], '09:00'],
  [['to_time'], '12:00'],
  [['utm_source'], 'newsletter'],
  [['utm_medium'], 'email'],
  [['utm_campaign'], 'spring'],
  [['priority'], 'High'],
  [['status', 'stage'], 'Open'],
  [['content_type'], 'application/pdf'],
  [['voucher_type', 'reference_type'], 'Payment Entry'],
  [['voucher_no', 'reference_name'], 'PE-0001'],
  [['title'], 'Spare parts for June'],
  [['description', 'remarks', 'message', 'notes', 'more_information'], 'Two of the ten boxes were missing.'],
];

/** Numbers, likewise. */
const numbers: readonly (readonly [words: readonly string[], value: number])[] = [
  [['percentage', 'discount'], 5],
  [['exchange_rate', 'conversion_rate', 'plc_conversion_rate', 'factor'], 1.25],
  [['qty', 'quantity', 'number', 'count'], 10],
  [['rate', 'price'], 12.5],
  [['amount', 'total', 'charges', 'revenue', 'loan', 'money'], 1250.5],
];

/** The first row of a table that has words of a name. */
function found<T>(table: readonly (readonly [words: readonly string[], value: T])[], name: string): T | undefined {
  const padded = `_${name}_`;
  return table.find(([words]) => words.some((word) => padded.includes(`_${word}_`)))?.[1];
}

function byName({ name, type }: Field): Value | undefined {
  if (type === 'integer' || type === 'number') return found(numbers, name);
  if (type !== 'text') return undefined;
  if (/_(?:at|on|by)$/.test(name) && found(texts, name) === undefined) return timestampExample;
  const known = found(texts, name);
  if (known !== undefined) return known;
  return name.endsWith('_id') ? `${name.slice(0, -3)}-0001` : capitalize(name.replaceAll('_', ' '));
}

/**
 * A value of a field to show: the one that its spec gives, its default, the id of a parent that this service has, one that
 * fits its name, or one of its type. Undefined where none of these is a value of the field, as of one with a pattern.
 */
export function exampleOf(field: Field, { parent }: Pick<Resource, 'parent'>): Value | undefined {
  const ofParent = parent?.table !== undefined && parent.field === field.name ? idExample(parent.table) : null;
  // A default may be in any spelling of the format, which not every tool knows.
  const ofFormat = schemaOf(field).format === undefined ? null : rowOf(field).example(field);
  const candidates = [
    field.example,
    ofParent,
    ofFormat,
    field.default,
    byName(field) ?? null,
    rowOf(field).example(field),
  ];
  return candidates.find((value) => value !== null && isValueOf(field, value).success) ?? undefined;
}

type Examples = Readonly<Record<string, Json>>;

function examplesOf(fields: readonly Field[], resource: Resource): Examples {
  const entries = fields.map((field) => [
    field.name,
    exampleOf(field, resource) ?? (field.nullable ? null : undefined),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Examples;
}

/** How many fields a body shows where none is required and the spec gives no examples. */
const shownFields = 3;

/** The fields that a body shows: the required ones and those with an example in the spec, else the first ones. */
function shown({ fields }: Resource): Field[] {
  const writable = fields.filter((field) => !field.readOnly);
  const chosen = writable.filter((field) => field.required || field.example !== null);
  return chosen.length > 0 ? chosen : writable.slice(0, shownFields);
}

/** The body of a create. */
export const createExample = (resource: Resource): Examples => examplesOf(shown(resource), resource);

/** The body of an update: one field of those that a create shows, where possible not the parent. */
export function updateExample(resource: Resource): Examples {
  const { parent } = resource;
  const own = shown(resource).filter(({ name }) => name !== parent?.field && name !== parent?.typeField);
  return examplesOf(own.slice(-1), resource);
}

/** The body of a reorder. */
export const reorderExample = ({ name }: Resource): Json => ({ items: [{ id: idExample(name), idx: 1 }] });

const creates = (resource: Resource): boolean => resource.operations.includes('create');

/** The resource that examples of a whole service create, and a line item of it where there are any. */
const createdResources = memoize((resources: readonly Resource[]): readonly (Resource | undefined)[] => {
  const parentOf = (item: Resource): Resource | undefined =>
    resources.find((other) => creates(other) && other.key === item.parent?.resource);
  const lengthOf = (item: Resource): number => {
    const parent = parentOf(item);
    return parent ? JSON.stringify(createExample(parent)).length : Infinity;
  };
  // The shortest one is the easiest to read.
  const [item] = resources.filter((one) => creates(one) && parentOf(one)).toSorted((a, b) => lengthOf(a) - lengthOf(b));
  return item ? [parentOf(item), item] : [resources.find((one) => creates(one) && !one.parent)];
});

/** The resource of examples that belong to none: the one that a batch creates, else the first that is created, else the first. */
export const shownResource = (resources: readonly Resource[]): Resource | undefined =>
  createdResources(resources)[0] ?? resources.find(creates) ?? resources[0];

/** The operations of a batch: a create, and one more of a line item of the new record where there are any. */
export function batchExample(resources: readonly Resource[]): Json {
  const [first, item] = createdResources(resources);
  if (!first) return { operations: [{ method: 'DELETE', path: `${basePath}/<area>/<resource>/<id>` }] };
  const create = (resource: Resource): Json => ({
    method: 'POST',
    path: resource.path,
    body: { ...createExample(resource), ...(resource === item && { [item.parent?.field ?? '']: { result: 0 } }) },
  });
  return { operations: [create(first), ...(item ? [create(item)] : [])] };
}
