import { getClient } from './clients.mjs';
import { vatOn } from './tax.mjs';

let serial = 118;

function sumHours(entries, centsPerHour) {
  return entries.reduce((sum, { hours }) => sum + Math.round(hours * centsPerHour), 0);
}

function numberInvoice(year) {
  serial += 1;
  return `${year}-${String(serial).padStart(4, '0')}`;
}

export async function draftInvoice({ client: id, centsPerHour, entries, date }) {
  const client = await getClient(id);
  const net = sumHours(entries, centsPerHour);
  const vat = vatOn(net, client);
  return { number: numberInvoice(date.slice(0, 4)), to: client.name, date, net, vat, gross: net + vat };
}
