import { boatsAt } from '../fleet/boats.ts';
import { daysFrom } from '../fleet/calendar.ts';
import { choose } from './choose.ts';
import { parseEnquiry } from './enquiry.ts';
import { priceOf } from './price.ts';

export async function respond(url: URL): Promise<{ status: number; body: object }> {
  if (url.pathname === '/fleet')
    return { status: 200, body: await boatsAt(url.searchParams.get('base') ?? 'Braunston') };
  if (url.pathname !== '/hire') return { status: 404, body: { error: 'unknown path' } };
  const enquiry = parseEnquiry(url.searchParams);
  const days = daysFrom(enquiry.start, enquiry.days);
  const boat = await choose(await boatsAt(enquiry.base), enquiry, days);
  return {
    status: 200,
    body: { boat: boat.name, from: days[0], until: days.at(-1), pounds: priceOf(boat.perDay, days) },
  };
}
