import { day, type Scene } from './scene.ts';
import { terms } from './words.ts';

type Make<T> = (scene: Scene, name: string) => T;
type Rule<T> = readonly [name: RegExp, make: Make<T>];

const date = (time: number): string => new Date(time).toISOString().slice(0, 10);
const dateTime = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
const fullName: Make<string> = ({ customer: { person } }) => `${person.first} ${person.last}`;
const addressOf: Make<string> = ({ customer: { street, postcode, place } }) =>
  `${street}, ${postcode} ${place[0]}, ${place[2]}`;
const term =
  (list: string): Make<string> =>
  ({ random, number }) => {
    const all = terms[list] as readonly string[];
    // The first records name each once.
    return number <= all.length ? (all[number - 1] as string) : random.of(all);
  };
const coded =
  (prefix: string): Make<string> =>
  ({ random }) =>
    `${prefix}-${random.digits(5)}`;

/** Ends come after beginnings. */
const isEnd = /(?:^|_)(?:end|till|until|due|expir\w*|valid\w*)(?:_|$)/;

/** Days after the beginning, by what the name of a date says of it. */
const dates: readonly Rule<number>[] = [
  [isEnd, ({ period }) => period],
  [/complet|resolution|closed|shipped/, () => 4],
  [/response_by|_by$/, () => 1],
  [/respond|qualif|hold/, () => 1],
  [/./, () => 0],
];

/** Strings, by the names of their fields: the first rule that fits. A field without a rule stays empty. */
const texts: readonly Rule<string>[] = [
  [/(?:^|_)e?mail(?:_id|_address)?$|raised_by|contact_email|support_email/, ({ customer }) => customer.person.email],
  [/email_subject/, ({ company }) => `Please sign: a document of ${company}`],
  [/email_message/, () => 'Please read the document and sign it by the end of the week.'],
  [/mobile|whatsapp|(?:^|_)phone(?:_no)?$|^fax$/, ({ customer }) => customer.phone],
  [/phone_ext/, ({ random }) => random.digits(2)],
  [/first_name/, ({ customer }) => customer.person.first],
  [/last_name/, ({ customer }) => customer.person.last],
  [/lead_name|full_name|^contact(?:_person|_display)?$|qualified_by|inspected_by/, fullName],
  [/^website$|redirect_url|_page$|^manual$/, ({ customer }) => `https://www.${customer.domain}/`],
  [/^competitor_name$/, ({ customer }) => customer.name],
  [/^company$/, ({ company }) => company],
  [/^customer$|customer_name|company_name|party_name|^supplier$|beneficiary/, ({ customer }) => customer.name],
  [/(?:quotation_to|party_type)/, () => 'Customer'],
  [/address_title/, ({ customer }) => customer.name],
  [/address_type/, ({ random }) => random.of(['Billing', 'Shipping', 'Office', 'Warehouse'])],
  [/address_line1/, ({ customer }) => customer.street],
  [/address_display|^shipping_address$|^customer_address$/, addressOf],
  [/^city$|named_place/, ({ customer }) => customer.place[0]],
  [/^state$|^county$/, ({ customer }) => customer.place[1]],
  [/^country$/, ({ customer }) => customer.place[2]],
  [/pincode|postcode|zip/, ({ customer }) => customer.postcode],
  [/currency/, ({ customer }) => customer.place[4]],
  [/item_group|customer_group/, term('segment')],
  [/item_code|finished_good$|service_item$|^article$|original_item/, ({ article }) => article[0]],
  [/item_name/, ({ article }) => article[1]],
  [/^description$/, ({ isLineItem, article, request }) => (isLineItem ? article[1] : request[1])],
  [/uom$|unit$/, ({ article }) => article[2]],
  [/^subject$/, ({ request }) => request[0]],
  [/resolution_details/, () => 'Explained on the phone; the customer is satisfied.'],
  [/more_information|remarks|notes/, ({ customer }) => `As agreed with ${customer.person.first} on the phone.`],
  [/iban/, ({ random }) => `DE${random.digits(20)}`],
  [/swift|bic/, () => 'HARBDEHHXXX'],
  [/bank_account_no|fixed_deposit/, ({ random }) => random.digits(10)],
  [/branch_code/, ({ random }) => random.digits(6)],
  [/^bank$/, term('bank')],
  [/bank_account$/, () => 'Current Account - Harbour Bank'],
  [/bank_charges_account/, () => '5410 - Bank Charges'],
  [/receivable_credit/, () => '1310 - Receivables Sold'],
  [/receivable_discounted/, () => '1320 - Receivables Discounted'],
  [/receivable|debit_to/, () => '1300 - Debtors'],
  [/account_head/, () => '2210 - VAT 19 %'],
  [/short_term_loan/, () => '2400 - Short-term Loans'],
  [/^account$/, () => '1400 - Guarantees'],
  [/guarantee_number/, coded('BG')],
  [/bg_type/, ({ random }) => random.of(['Receiving', 'Providing'])],
  [/invoice/, coded('INV')],
  [/voucher_type|reference_(?:doc)?type$/, () => 'Sales Invoice'],
  [/voucher_no|reference_(?:doc)?name/, coded('INV')],
  [/^project$/, ({ random }) => `Project ${random.of(['Atlas', 'Beacon', 'Compass'])}`],
  [/bom(?:_no)?$|bom_id$/, ({ number }) => `BOM-${String(Math.ceil(number / 4)).padStart(5, '0')}`],
  [/profile_id$/, ({ number }) => `POS-${String(Math.ceil(number / 4)).padStart(3, '0')}`],
  [/price_list/, () => 'Standard Selling'],
  [/order_type/, () => 'Sales'],
  [/document_type|content_type/, () => 'application/pdf'],
  [
    /^title$/,
    ({ customer, random }) => `${random.of(['Contract', 'Offer', 'Order', 'Agreement'])} with ${customer.name}`,
  ],
  [/^data$/, () => 'JVBERi0xLjQKJSVFT0YK'],
  [/day_of_week/, ({ number }) => ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'][(number - 1) % 5] as string],
  [/holiday_list/, () => 'Public holidays'],
  [/^(?:from|start|opening)_time/, ({ begin }) => new Date(begin).toISOString().slice(11, 19)],
  [/^(?:to|end)_time/, ({ begin }) => new Date(begin + day / 24).toISOString().slice(11, 19)],
  [/salutation/, ({ random }) => random.of(['Ms', 'Mr', 'Dr'])],
  [/no_of_employees/, ({ random }) => random.of(['1-10', '11-50', '51-200', '201-500'])],
  [/issue_type/, ({ random }) => random.of(['Question', 'Complaint', 'Incident'])],
  [/language/, () => 'en'],
  [/job_title/, term('job')],
  [/stage/, term('stage')],
  [/reason/, term('reason')],
  [/shift/, term('shift')],
  [/group/, term('group')],
  [/brand/, term('brand')],
  [/industry/, term('industry')],
  [/territory/, term('territory')],
  [/segment/, term('segment')],
  [/priority/, term('priority')],
  [/operation/, term('operation')],
  [/warehouse/, term('warehouse')],
  [/utm_campaign/, term('campaign')],
  [/utm_(?:medium|source)/, term('medium')],
  [/serial_number/, ({ random }) => `BR-${random.digits(6)}`],
  [/_(?:at|on|by|since)$/, (scene, name) => dateTime(timeOf(scene, name))],
  [/_id$/, ({ number }) => `EXT-${String(Math.ceil(number / 4)).padStart(5, '0')}`],
  [/_date$/, (scene, name) => date(timeOf(scene, name))],
];

const numbers: readonly Rule<number>[] = [
  [/shift_factor/, ({ random }) => random.of([1, 1.25, 1.5])],
  [/price_list|conversion|exchange/, () => 1],
  [/percent/, () => 0],
  [/tax/, ({ tax }) => tax],
  [/rounding|difference|discount|charges$|fee/, () => 0],
  [/grand|rounded|outstanding|^total_amount$/, ({ gross }) => gross],
  [/qty|quantity/, ({ quantity }) => quantity],
  [/rate$|price/, ({ article }) => article[3]],
  [/margin/, ({ net }) => Math.round(net / 10)],
  [/revenue/, ({ random }) => random.between(2, 900) * 10_000],
  [/weight/, ({ quantity }) => quantity * 1.5],
  [/validity|period|days/, ({ period }) => period],
  [/page_count/, ({ random }) => random.between(1, 12)],
  [/size/, () => 15],
  [/time$/, ({ random }) => random.between(5, 90) * 60],
  [/amount|total|^cost/, ({ net }) => net],
  [/./, ({ random }) => random.between(1, 20)],
];

const timeOf = (scene: Scene, name: string): number => scene.begin + (make(dates, scene, name) as number) * day;

function make<T>(rules: readonly Rule<T>[], scene: Scene, name: string): T | undefined {
  return rules.find(([pattern]) => pattern.test(name))?.[1](scene, name);
}

/** A string for a field of this name; undefined where none would be believable. */
export const textFor = (scene: Scene, name: string): string | undefined => make(texts, scene, name);

/** A number for a field of this name. */
export const numberFor = (scene: Scene, name: string): number => make(numbers, scene, name) as number;

/** A string of a format for a field of this name. */
export function formattedFor(scene: Scene, name: string, format: string): string | undefined {
  if (format === 'date') return date(timeOf(scene, name));
  if (format === 'date-time') return dateTime(timeOf(scene, name));
  if (format === 'time') return `${new Date(scene.begin).toISOString().slice(11, 19)}Z`;
  if (format === 'email') return scene.customer.person.email;
  if (format === 'uri') return `https://www.${scene.customer.domain}/`;
  if (format !== 'uuid') return undefined;
  const { random } = scene;
  return `${random.digits(8)}-${random.digits(4)}-4${random.digits(3)}-8${random.digits(3)}-${random.digits(12)}`;
}

/** Fields that few records have a value for. */
export const rarelySet = /resolution|hold|lost|respond|supplier|utm_|fax|whatsapp|error/;

/** The values that a field with this default has in other records. */
export const otherStates: Readonly<Record<string, readonly string[]>> = {
  Open: ['Open', 'Open', 'Replied', 'On Hold', 'Resolved', 'Closed'],
  Lead: ['Lead', 'Lead', 'Open', 'Replied', 'Opportunity', 'Converted'],
  'First Response Due': ['First Response Due', 'Resolution Due', 'Fulfilled', 'Failed'],
  pending: ['pending', 'pending', 'completed'],
};
