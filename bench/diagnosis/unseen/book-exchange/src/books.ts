import { setTimeout as wait } from 'node:timers/promises';

export interface Book {
  isbn13: string;
  title: string;
  year: number;
}

const books = new Map<string, Book>(
  [
    { isbn13: '9780804429573', title: 'Hermann Hesse: Biography', year: 1990 },
    { isbn13: '9780306406157', title: 'Error-Correction Coding', year: 1981 },
    { isbn13: '9783161484100', title: 'Kirche und Recht', year: 2004 },
    { isbn13: '9780198534532', title: 'Inverse Problems', year: 1979 },
    { isbn13: '9780975229804', title: 'Build Your Own Website', year: 2004 },
  ].map((book) => [book.isbn13, book]),
);

export async function bookOf(isbn13: string): Promise<Book> {
  await wait(4);
  const book = books.get(isbn13);
  if (!book) throw Object.assign(new Error(`we do not know ${isbn13}`), { status: 404 });
  return book;
}
