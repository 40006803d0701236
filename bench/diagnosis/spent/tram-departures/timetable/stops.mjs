const stops = new Map([
  ['augarten', { code: 'AUG', name: 'Augarten' }],
  ['hafen', { code: 'HAF', name: 'Alter Hafen' }],
  ['messe', { code: 'MES', name: 'Messe Nord' }],
  ['klinikum', { code: 'KLI', name: 'Klinikum' }],
]);

export async function findStop(slug) {
  const stop = stops.get(slug);
  if (!stop) throw Object.assign(new Error(`unknown stop ${slug}`), { status: 404 });
  return stop;
}
