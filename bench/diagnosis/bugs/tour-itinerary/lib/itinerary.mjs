import { startFromTemplate, extraPrice } from './templates.mjs';

function addExtras(itinerary, names) {
  for (const name of names) {
    const price = extraPrice(name);
    if (price === undefined) throw Object.assign(new Error(`no extra called ${name}`), { status: 400 });
    itinerary.activities.push({ name, price });
  }
}

export function pricePerPerson(itinerary) {
  return itinerary.activities.reduce((sum, activity) => sum + activity.price, itinerary.base);
}

export async function planTour({ tour, people, extras = [] }) {
  const itinerary = await startFromTemplate(tour);
  if (!itinerary) return null;
  itinerary.people = people;
  addExtras(itinerary, extras);
  const total = pricePerPerson(itinerary) * people;
  const programme = itinerary.activities.map((activity) => activity.name);
  return { city: itinerary.city, people, programme, total };
}
