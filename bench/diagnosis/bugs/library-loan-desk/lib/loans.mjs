import { findBook } from './catalogue.mjs';

const DAY = 24 * 60 * 60 * 1000;
const periods = { novel: 28, guide: 14, reference: 3 };
const loans = [];

function dueDate(kind, from) {
  return new Date(Date.parse(from) + periods[kind] * DAY).toISOString().slice(0, 10);
}

function countOpen(bookId) {
  return loans.filter((loan) => loan.bookId === bookId).length;
}

export async function lend({ bookId, reader, date }) {
  const book = await findBook(bookId);
  const due = dueDate(book.kind, date);
  const waiting = countOpen(bookId) >= book.copies;
  if (!waiting) loans.push({ bookId, reader, due });
  return { title: book.title, reader, status: waiting ? 'reserved' : 'lent', due: waiting ? null : due };
}
