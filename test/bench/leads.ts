import { idOf } from './numbered.ts';

const pick = <T>(choices: readonly T[], seed: number): T => choices[seed % choices.length] as T;

const firstNames = ['Amara', 'Benedikt', 'Chiara', 'Dmitri', 'Eleni', 'Farid', 'Guðrún', 'Hiroshi', 'Ingrid', 'João'];
const lastNames = ['Okonkwo', 'Lindqvist', 'Rossi-Bianchi', 'Volkov', 'Papadopoulou', 'Haddad', 'Tanaka'];
const companies = ['Northwind Precision Tools', 'Halden & Sons Shipping', 'Verde Packaging', 'Kestrel Instruments'];
const cities = ['Rotterdam', 'Thessaloniki', 'Gothenburg', 'Yokohama', 'São Paulo', 'Casablanca'];
const countries = ['Netherlands', 'Greece', 'Sweden', 'Japan', 'Brazil', 'Morocco'];
const industries = ['Industrial Manufacturing', 'Logistics and Transport', 'Food & Beverage', 'Medical Devices'];

/** The path of the leads, the records that are measured. */
export const leadPath = '/api/crm/lead';

/** The id of the lead with this number, of those that were there before anything was measured. */
export const leadId = (number: number): string => idOf('lead', number);

/** The body of a create: a lead as a sales team would keep it. The same number gives the same lead. */
export function leadOf(number: number): Record<string, string | number | boolean> {
  const first = pick(firstNames, number);
  const last = pick(lastNames, number);
  const company = `${pick(companies, number)} ${1000 + (number % 9000)} International`;
  const domain = `${company.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.example`;
  return {
    lead_name: `${first} ${last}`,
    first_name: first,
    last_name: last,
    company_name: company,
    email_id: `purchasing.department+${number}@${domain}`,
    title: `Annual framework agreement for ${company}`,
    lead_owner: `account.manager.${number % 40}@business-records.example`,
    status: pick(['Lead', 'Open', 'Replied', 'Opportunity', 'Interested'], number),
    phone: `+31 10 ${1_000_000 + number}`,
    mobile_no: `+31 6 ${20_000_000 + number}`,
    website: `https://www.${domain}/en/company/about-us?ref=trade-directory`,
    image: `https://files.business-records.example/leads/portraits/2026/originals/${number}.jpeg`,
    market_segment: 'Upper Mid-Market',
    industry: pick(industries, number),
    territory: 'Europe, Middle East and Africa',
    job_title: pick(['Head of Procurement', 'Operations Manager', 'Chief Financial Officer'], number),
    no_of_employees: pick(['11-50', '51-200', '201-500', '501-1000'], number),
    annual_revenue: 250_000 + number * 12.5,
    city: pick(cities, number),
    country: pick(countries, number),
    blog_subscriber: number % 3 === 0,
    utm_source: 'newsletter',
    utm_campaign: '2026-spring-trade-fair-follow-up-europe',
  };
}

/** The body of a patch: three fields, each with another value than in the other revision. */
export function changeOf(number: number, revision: 0 | 1): Record<string, string | number> {
  return {
    status: pick(['Interested', 'Converted'], revision),
    qualification_status: pick(['In Process', 'Qualified'], revision),
    annual_revenue: 300_000 + number + revision * 1000,
  };
}
