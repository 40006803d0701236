const templates = new Map([
  ['lisbon', { city: 'Lisbon', base: 240, activities: [{ name: 'tram tour', price: 25 }, { name: 'fado evening', price: 40 }] }],
  ['prague', { city: 'Prague', base: 180, activities: [{ name: 'castle visit', price: 20 }] }],
  ['bergen', { city: 'Bergen', base: 310, activities: [{ name: 'fjord cruise', price: 65 }, { name: 'funicular', price: 15 }] }],
]);

const extras = new Map([
  ['cooking class', 70],
  ['bike rental', 18],
  ['museum pass', 30],
]);

export async function startFromTemplate(name) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  const template = templates.get(name);
  return template ? { ...template } : null;
}

export function extraPrice(name) {
  return extras.get(name);
}
