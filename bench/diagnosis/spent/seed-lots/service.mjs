import { createServer } from 'node:http';
import { sendJson } from './http/json.mjs';
import { handleImport, handleList } from './lots/handlers.mjs';

const routes = [
  { method: 'POST', pattern: /^\/growers\/([a-z]+)\/imports$/, handle: handleImport },
  { method: 'GET', pattern: /^\/growers\/([a-z]+)\/lots$/, handle: handleList },
];

function route(method, pathname) {
  for (const candidate of routes) {
    const match = candidate.pattern.exec(pathname);
    if (match && candidate.method === method) return { handle: candidate.handle, params: match.slice(1) };
  }
  return null;
}

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const found = route(request.method, pathname);
  if (!found) return sendJson(response, 404, { error: 'no such page' });
  try {
    await found.handle(request, response, ...found.params);
  } catch (error) {
    sendJson(response, error.status ?? 500, { error: error.message });
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
