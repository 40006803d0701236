import http from 'node:http';
import { handleTransferFile, handleHolidays } from './handlers.mjs';

const routes = {
  'POST /transfer-files': handleTransferFile,
  'GET /holidays': handleHolidays,
};

const readJson = async (req) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'));
};

const server = http.createServer(async (req, res) => {
  const { pathname } = new URL(req.url, 'http://localhost');
  const handler = routes[`${req.method} ${pathname}`];
  let status = 404;
  let answer = { message: 'no such page' };
  try {
    if (handler) [status, answer] = await handler(await readJson(req));
  } catch (err) {
    [status, answer] = [500, { message: err.message }];
  }
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  res.end(JSON.stringify(answer));
});

server.listen(Number(process.env.PORT), '127.0.0.1');
