import { countBooks, fetchBooks } from './store.mjs';
import { PAGE_SIZE, countPages, computeOffset } from './paging.mjs';

function resolvePage(wanted, pages) {
  if (wanted === 'last') return pages;
  const page = Number.parseInt(wanted, 10);
  return Number.isNaN(page) || page < 1 ? 1 : Math.min(page, pages);
}

function shelfRange(books) {
  const first = books[0];
  const last = books[books.length - 1];
  return `${first.shelf} to ${last.shelf}`;
}

export async function listPage(genre, wanted) {
  const total = await countBooks(genre);
  const pages = countPages(total);
  const page = resolvePage(wanted, pages);
  const books = await fetchBooks(genre, computeOffset(page), PAGE_SIZE);
  return { genre, page, pages, shelves: shelfRange(books), books: books.map((book) => book.title) };
}
