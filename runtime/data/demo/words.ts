/** The words that invented records are put together from. */
const words = (list: string): readonly string[] => list.split(' ');

export const companyNames = words(
  'Alder Amber Anchor Aurora Birch Bluefin Bramble Canyon Cedar Cobalt Copper Delta Ember Fjord Granite Harbour Hazel ' +
    'Heron Juniper Kestrel Lantern Linden Maple Meridian Northwind Orchard Osprey Quarry Raven Saffron Sequoia Willow',
);
export const companyTrades = words('Foods Logistics Machines Textiles Electronics Furniture Tools Books');
export const companyForms = words('Ltd GmbH Inc. S.A. B.V.');
export const firstNames = words('Amara Anna Bruno Chiara Elif Emma Felix Grace Jakub José Luca Mei Omar Priya Wei Zoë');
export const lastNames = words(
  'Almeida Bauer Costa Dubois García Haddad Jensen Kaya Müller Novák Okafor Patel Sato Silva',
);
export const streets = ['Mill Lane', 'Station Road', 'Harbour Street', 'Market Square', 'Garden Row', 'Bridge Street'];

/** City, region, country, the prefix of its phone numbers, currency. */
export const places = [
  ['Berlin', 'Berlin', 'Germany', '+49 30', 'EUR'],
  ['Lyon', 'Auvergne-Rhône-Alpes', 'France', '+33 4', 'EUR'],
  ['Leeds', 'England', 'United Kingdom', '+44 113', 'GBP'],
  ['Chicago', 'Illinois', 'United States', '+1 312', 'USD'],
  ['Pune', 'Maharashtra', 'India', '+91 20', 'INR'],
  ['Osaka', 'Osaka', 'Japan', '+81 6', 'JPY'],
] as const;

/** Code, name, unit, price. */
export const articles = [
  ['BRG-6204', 'Ball bearing 6204', 'Piece', 4.8],
  ['BLT-M8', 'Hexagon bolt M8 × 40', 'Box', 12.5],
  ['MTR-075', 'Electric motor 0.75 kW', 'Piece', 189],
  ['PNL-OAK', 'Oak panel 18 mm', 'Square metre', 46.9],
  ['PNT-W', 'White paint', 'Litre', 8.4],
  ['DSK-160', 'Desk 160 × 80 cm', 'Piece', 319],
] as const;

/** Subjects and descriptions of requests for help. */
export const requests = [
  ['Invoice shows the wrong address', 'The invoice still has our former address. Please send it again.'],
  ['Delivery is two boxes short', 'We have received eight boxes, but the delivery note says ten.'],
  ['Cannot sign in to the portal', 'After the last update, the portal says that the password is wrong.'],
  ['Pump makes a loud noise', 'Since Monday the pump is much louder than before. It still works.'],
] as const;

/** The values of a field whose name has this word. The first records of a resource take each once. */
export const terms: Readonly<Record<string, readonly string[]>> = {
  stage: ['Prospecting', 'Qualification', 'Proposal', 'Negotiation', 'Closed won', 'Closed lost'],
  reason: ['Price too high', 'Chose a competitor', 'No budget', 'Project postponed', 'Delivery too late', 'No answer'],
  shift: ['Morning shift', 'Day shift', 'Evening shift', 'Night shift', 'Weekend shift', 'Double shift'],
  group: ['Dimensions', 'Surface', 'Electrical safety', 'Packaging', 'Colour', 'Labelling'],
  brand: ['Kestrel', 'Northwind', 'Osprey', 'Lantern', 'Meridian'],
  industry: ['Manufacturing', 'Retail', 'Construction', 'Healthcare', 'Education'],
  territory: ['Central Europe', 'United Kingdom', 'North America', 'Asia'],
  segment: ['Small business', 'Large business', 'Public sector'],
  job_title: ['Buyer', 'Head of Purchasing', 'Plant Manager', 'Owner', 'Accountant'],
  priority: ['Low', 'Medium', 'High', 'Urgent'],
  operation: ['Cutting', 'Assembly', 'Painting', 'Welding', 'Packing'],
  warehouse: ['Main Warehouse', 'Raw Materials', 'Finished Goods'],
  campaign: ['Spring fair', 'Newsletter May', 'Autumn offer'],
  day_of_week: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  address_type: ['Billing', 'Shipping', 'Office', 'Warehouse'],
  bg_type: ['Receiving', 'Providing'],
  salutation: ['Ms', 'Mr', 'Dr'],
  employees: ['1-10', '11-50', '51-200', '201-500'],
  issue_type: ['Question', 'Complaint', 'Incident'],
};

/** The values that a field with this default has in other records. */
export const otherStates: Readonly<Record<string, readonly string[]>> = {
  Open: ['Open', 'Open', 'Replied', 'On Hold', 'Resolved', 'Closed'],
  Lead: ['Lead', 'Lead', 'Open', 'Replied', 'Opportunity', 'Converted'],
  'First Response Due': ['First Response Due', 'Resolution Due', 'Fulfilled', 'Failed'],
  pending: ['pending', 'pending', 'completed'],
};
