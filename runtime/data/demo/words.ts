/** The subjects of invented records. Names of companies and people are put together from these. */
export const companyNames = (
  'Alder Amber Anchor Aurora Birch Bluefin Bramble Canyon Cedar Cobalt Copper Crescent Delta Ember Fjord Granite Harbour ' +
  'Hazel Heron Indigo Juniper Kestrel Lantern Larch Linden Maple Meridian Northwind Orchard Osprey Pebble Pine Quarry Raven ' +
  'Rowan Saffron Sequoia Summit Thistle Willow'
).split(' ');
export const companyTrades = [
  'Foods',
  'Logistics',
  'Machines',
  'Textiles',
  'Electronics',
  'Furniture',
  'Tools',
  'Books',
];
export const companyForms = ['Ltd', 'GmbH', 'Inc.', 'S.A.', 'B.V.'];

export const firstNames = (
  'Amara Anna Bruno Chiara Daniel Elif Emma Felix Grace Hana Ines Jakub José Karim Lena Luca Mateo Mei Nadia Noah Olga Omar ' +
  'Priya Rosa Samuel Sofia Tomás Wei Yara Zoë'
).split(' ');
export const lastNames = (
  'Almeida Andersson Bauer Costa Dubois Fischer García Haddad Ivanova Jensen Kaya Kowalski Larsen Moreau Müller Nakamura ' +
  'Novák Okafor Patel Rossi Sato Schmidt Silva Tanaka Visser Walker Weber Yılmaz Zhang'
).split(' ');

/** City, region, country, the prefix of its phone numbers, currency. */
export const places = [
  ['Berlin', 'Berlin', 'Germany', '+49 30', 'EUR'],
  ['Hamburg', 'Hamburg', 'Germany', '+49 40', 'EUR'],
  ['Lyon', 'Auvergne-Rhône-Alpes', 'France', '+33 4', 'EUR'],
  ['Porto', 'Porto', 'Portugal', '+351 22', 'EUR'],
  ['Utrecht', 'Utrecht', 'Netherlands', '+31 30', 'EUR'],
  ['Leeds', 'England', 'United Kingdom', '+44 113', 'GBP'],
  ['Chicago', 'Illinois', 'United States', '+1 312', 'USD'],
  ['Pune', 'Maharashtra', 'India', '+91 20', 'INR'],
  ['Osaka', 'Osaka', 'Japan', '+81 6', 'JPY'],
] as const;
export const streets = ['Mill Lane', 'Station Road', 'Harbour Street', 'Market Square', 'Garden Row', 'Bridge Street'];

/** Code, name, unit, price. */
export const articles = [
  ['BRG-6204', 'Ball bearing 6204', 'Piece', 4.8],
  ['BLT-M8', 'Hexagon bolt M8 × 40', 'Box', 12.5],
  ['MTR-075', 'Electric motor 0.75 kW', 'Piece', 189],
  ['PNL-OAK', 'Oak panel 18 mm', 'Square metre', 46.9],
  ['CBL-3G15', 'Cable 3 × 1.5 mm²', 'Metre', 0.95],
  ['PMP-40', 'Water pump 40 l/min', 'Piece', 245],
  ['PNT-W', 'White paint', 'Litre', 8.4],
  ['FLT-A2', 'Air filter A2', 'Piece', 17.2],
  ['DSK-160', 'Desk 160 × 80 cm', 'Piece', 319],
  ['LMP-LED', 'LED lamp 12 W', 'Piece', 6.75],
] as const;

/** Subjects and descriptions of requests for help. */
export const requests = [
  [
    'Invoice shows the wrong address',
    'The invoice still has our former address. Please send it again with the new one.',
  ],
  ['Delivery is two boxes short', 'We have received eight boxes, but the delivery note says ten.'],
  ['Cannot sign in to the portal', 'After the last update, the portal says that the password is wrong.'],
  ['Pump makes a loud noise', 'Since Monday the pump is much louder than before. It still works.'],
  ['Question about the warranty', 'Is the motor still under warranty if we install it ourselves?'],
  ['Please change the contact person', 'Our purchasing has a new contact person from next month on.'],
] as const;

/** Lists that a business keeps, by a word in the name of the field. */
export const terms: Readonly<Record<string, readonly string[]>> = {
  stage: ['Prospecting', 'Qualification', 'Needs analysis', 'Proposal', 'Negotiation', 'Closed won', 'Closed lost'],
  reason: ['Price too high', 'Chose a competitor', 'No budget', 'Project postponed', 'Delivery too late', 'No answer'],
  shift: ['Morning shift', 'Day shift', 'Evening shift', 'Night shift', 'Weekend shift', 'Double shift'],
  group: ['Dimensions', 'Surface', 'Electrical safety', 'Packaging', 'Colour', 'Weight', 'Labelling', 'Hardness'],
  brand: ['Kestrel', 'Northwind', 'Osprey', 'Lantern', 'Meridian'],
  industry: ['Manufacturing', 'Retail', 'Construction', 'Healthcare', 'Education', 'Transport'],
  territory: ['Central Europe', 'Western Europe', 'United Kingdom', 'North America', 'Asia'],
  segment: ['Small business', 'Mid-size business', 'Large business', 'Public sector'],
  job: ['Buyer', 'Head of Purchasing', 'Plant Manager', 'Owner', 'Accountant', 'Engineer'],
  priority: ['Low', 'Medium', 'High', 'Urgent'],
  operation: ['Cutting', 'Assembly', 'Painting', 'Welding', 'Packing', 'Inspection'],
  warehouse: ['Main Warehouse', 'Raw Materials', 'Finished Goods', 'Hall 2'],
  campaign: ['Spring fair', 'Newsletter May', 'Autumn offer', 'Trade show'],
  medium: ['Email', 'Search', 'Trade show', 'Referral'],
  bank: ['Harbour Bank', 'First Meridian Bank', 'Union Savings Bank'],
};
