import { setTimeout as wait } from 'node:timers/promises';

const collectors = [
  { id: 1, name: 'N. Vavilova', institute: 'Tbilisi' },
  { id: 2, name: 'J. Harlan', institute: 'Stillwater' },
  { id: 3, name: 'E. Quispe', institute: 'Cusco' },
  { id: 4, name: 'M. Tadesse', institute: 'Addis Ababa' },
  { id: 5, name: 'C. Ochoa', institute: 'Lima' },
];

const holdings = [
  { genus: 'Lupinus', species: ['mutabilis', 'albus', 'luteus'], count: 4 },
  { genus: 'Solanum', species: ['tuberosum', 'stenotomum', 'phureja', 'ajanhuiri'], count: 46 },
  { genus: 'Hordeum', species: ['vulgare', 'spontaneum'], count: 3 },
  { genus: 'Eragrostis', species: ['tef'], count: 2 },
];

const accessions = holdings.flatMap(({ genus, species, count }) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${genus.slice(0, 3).toUpperCase()}${101 + index}`,
    genus,
    species: species[index % species.length],
    collector_id: 1 + ((index * 3) % collectors.length),
    year: 1968 + ((index * 7) % 50),
    viable_percent: 60 + ((index * 11) % 40),
  })),
);

const tables = { accessions, collectors };

export async function select(table, matches) {
  await wait(15);
  return tables[table].filter(matches);
}
