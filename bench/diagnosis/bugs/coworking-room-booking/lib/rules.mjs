const defaults = { maxGuests: 6, maxHours: 4, opens: 8, closes: 20 };

const sites = new Map([
  ['harbour', { closes: 22 }],
  ['station', { maxGuests: 8, opens: 7 }],
]);

const rooms = new Map([
  ['anchor', { site: 'harbour', rules: {} }],
  ['deck', { site: 'harbour', rules: { maxGuests: 12 } }],
  ['platform', { site: 'station', rules: { maxHours: 8 } }],
  ['forum', { site: 'station', rules: { maxGuests: 20 } }],
]);

export async function rulesFor(roomName) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  const room = rooms.get(roomName);
  if (!room) return null;
  const siteRules = sites.get(room.site);
  const rules = { ...defaults, ...room.rules, ...siteRules };
  return rules;
}
