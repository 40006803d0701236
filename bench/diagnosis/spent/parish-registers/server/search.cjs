const { slugOf } = require('./slug.cjs');
const { openVolume } = require('./volumes.cjs');

const PAGE = 20;

function yearsIn({ from = '1500', to = '1999' }) {
  return { from: Number(from), to: Number(to) };
}

function toEntry([event, year, given, folio]) {
  return { event, year, given, folio };
}

function chronological(a, b) {
  return a.year - b.year;
}

function citation(parish, entry) {
  return `Parish of ${parish}, ${entry.event}s ${entry.year}, ${entry.folio}`;
}

exports.search = async function search(parish, surname, query) {
  const years = yearsIn(query);
  const place = slugOf(parish);
  const family = slugOf(surname);
  const records = await openVolume(place, family);
  const entries = records
    .map(toEntry)
    .filter(({ year }) => year >= years.from && year <= years.to)
    .sort(chronological)
    .slice(0, PAGE);
  return {
    surname,
    total: entries.length,
    entries: entries.map((entry) => ({ ...entry, cite: citation(place, entry) })),
    consulted: new Date().toISOString(),
  };
};
