import { invoice } from './invoice.ts';
import { arrivals } from './reservations.ts';

const notFound = (message: string) => Object.assign(new Error(message), { status: 404 });

async function checkIn(camp: string, id: string, day: string) {
  const reservation = (await arrivals(camp, day)).find((one) => one.id === id);
  if (!reservation) throw notFound(`${id} does not arrive at ${camp} on ${day}`);
  return { guest: reservation.guest, pitch: reservation.pitch, ...invoice(reservation) };
}

export async function desk(method: string, url: URL, text: string): Promise<unknown> {
  const [, root, camp = '', part] = url.pathname.split('/');
  if (root !== 'camps') throw notFound('no such page');
  if (method === 'POST' && part === 'check-ins') {
    const { id, day } = JSON.parse(text) as { id: string; day: string };
    return checkIn(camp, id, day);
  }
  if (part === 'arrivals') {
    const expected = await arrivals(camp, url.searchParams.get('day') ?? '');
    return expected.map(({ guest, pitch }) => `${pitch}: ${guest}`);
  }
  throw notFound('no such page');
}
