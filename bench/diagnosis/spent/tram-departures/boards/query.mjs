const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

function badQuery(message) {
  return Object.assign(new Error(message), { status: 400 });
}

export function readQuery({ at, limit = '4', wheelchair = '0' }) {
  if (!CLOCK.test(at ?? '')) throw badQuery('at must be HH:MM');
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1) throw badQuery('limit must be a positive number');
  return { at, limit: count, wheelchair: wheelchair === '1' };
}
