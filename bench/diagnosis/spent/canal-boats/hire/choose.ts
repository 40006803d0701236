import type { Boat } from '../fleet/boats.ts';
import { isFree } from '../fleet/calendar.ts';
import type { Enquiry } from './enquiry.ts';

function fits(boat: Boat, party: string): boolean {
  return boat.berths >= party;
}

async function free(boats: Boat[], days: string[]): Promise<Boat[]> {
  const answers = await Promise.all(boats.map(({ name }) => isFree(name, days)));
  return boats.filter((_, index) => answers[index]);
}

const cheaper = (one: Boat, other: Boat) => (other.perDay < one.perDay ? other : one);

export async function choose(boats: Boat[], { party, base }: Enquiry, days: string[]): Promise<Boat> {
  const suitable = (await free(boats, days)).filter((boat) => fits(boat, party));
  if (suitable.length === 0) {
    throw Object.assign(new Error(`nothing is free for ${party} people in ${base}`), { status: 409 });
  }
  return suitable.reduce(cheaper);
}
