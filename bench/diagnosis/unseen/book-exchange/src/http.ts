import type { IncomingMessage, ServerResponse } from 'node:http';
import { bookOf } from './books.ts';
import { toIsbn13 } from './isbn.ts';
import { addOffer, cheapest, type NewOffer } from './offers.ts';

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function serve(request: IncomingMessage): Promise<[number, unknown]> {
  const [, root, isbn = '', part] = (request.url ?? '').split('/');
  if (root !== 'books') return [404, { error: 'not found' }];
  const book = await bookOf(toIsbn13(isbn));
  if (part !== 'offers') return [200, book];
  if (request.method === 'GET') return [200, { title: book.title, ...(await cheapest(book.isbn13)) }];
  return [201, await addOffer(book.isbn13, JSON.parse(await read(request)) as NewOffer)];
}

export async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, body] = await serve(request).catch((error: Error & { status?: number }) => [
    error.status ?? 500,
    { error: error.message },
  ]);
  response.writeHead(status as number, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
