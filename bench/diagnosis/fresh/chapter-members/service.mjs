import { createServer } from 'node:http';
import { connect } from './store/connect.mjs';
import { MemberStore } from './store/member-store.mjs';
import { exportChapter } from './export.mjs';

const store = new MemberStore(connect());
const EXPORT = /^\/chapters\/([a-z]+)\/export$/;

createServer((request, response) => {
  const url = new URL(request.url, 'http://members.internal');
  const [, chapter] = EXPORT.exec(url.pathname) ?? [];
  if (!chapter) return response.writeHead(404).end('not found');
  try {
    const csv = exportChapter(store, chapter, { by: request.headers['x-user'] ?? 'anonymous', pageSize: 10 });
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end(csv);
  } catch (error) {
    response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error: error.message }));
  }
}).listen(process.env.PORT, '127.0.0.1');
