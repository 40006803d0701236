import { createServer } from 'node:http';
import { openGate } from './garage/gates.mjs';
import { issuePass, passesOf } from './garage/passes.mjs';

const json = async (request) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
};

async function route(request) {
  const { pathname } = new URL(request.url, 'http://garage');
  const gate = pathname.match(/^\/gates\/(\w+)\/entries$/);
  if (request.method === 'POST' && gate) return openGate(gate[1], await json(request));
  if (request.method === 'POST' && pathname === '/passes') return issuePass(await json(request));
  if (request.method === 'GET' && pathname.startsWith('/passes/')) return passesOf(decodeURIComponent(pathname.slice(8)));
  throw Object.assign(new Error('no such page'), { status: 404 });
}

createServer(async (request, response) => {
  let status = 200;
  let body;
  try {
    body = await route(request);
  } catch (error) {
    status = error.status ?? 500;
    body = { error: error.message };
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}).listen(Number(process.env.PORT), '127.0.0.1');
