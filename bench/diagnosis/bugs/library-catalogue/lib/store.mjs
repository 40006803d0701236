import { setTimeout as sleep } from 'node:timers/promises';

function shelve(prefix, name, count) {
  return Array.from({ length: count }, (_, i) => ({
    title: `${name} vol. ${i + 1}`,
    shelf: `${prefix}${String(i + 1).padStart(3, '0')}`,
  }));
}

const genres = new Map([
  ['crime', shelve('C', 'Harbour Murders', 21)],
  ['poetry', shelve('P', 'Collected Verse', 16)],
  ['travel', shelve('T', 'Slow Roads', 13)],
  ['history', shelve('H', 'Annals', 27)],
  ['cooking', shelve('K', 'Home Kitchen', 5)],
]);

export async function hasGenre(genre) {
  await sleep(1);
  return genres.has(genre);
}

export async function countBooks(genre) {
  await sleep(2);
  return genres.get(genre).length;
}

export async function fetchBooks(genre, offset, limit) {
  await sleep(3);
  return genres.get(genre).slice(offset, offset + limit);
}
