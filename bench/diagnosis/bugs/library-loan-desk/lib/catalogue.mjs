const books = new Map();

const shelf = [
  { id: 2001, title: 'The Dispossessed', kind: 'novel' },
  { id: 2002, title: 'Invisible Cities', kind: 'novel' },
  { id: 2003, title: 'Birds of the North', kind: 'reference' },
  { id: 2004, title: 'Bread at Home', kind: 'guide' },
];

const donations = `id;title;kind
3107;A Field Guide to Moss;guide
3108;The Leopard;novel
3109;Atlas of Rivers;reference`;

function importShelf(list) {
  for (const book of list) books.set(book.id, { ...book, copies: 2 });
}

function importCsv(text) {
  const [header, ...rows] = text.split('\n').map((line) => line.split(';'));
  for (const row of rows) {
    const book = Object.fromEntries(header.map((name, index) => [name, row[index]]));
    books.set(book.id, { ...book, copies: 1 });
  }
}

importShelf(shelf);
importCsv(donations);

export async function findBook(id) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return books.get(id);
}
