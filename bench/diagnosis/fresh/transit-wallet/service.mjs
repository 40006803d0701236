import { createServer } from 'node:http';
import { Acquirer } from './src/acquirer.mjs';
import { readJson, sendJson } from './src/json-http.mjs';
import { Wallets } from './src/wallets.mjs';
import { TopUps } from './src/top-ups.mjs';

const wallets = new Wallets();
const acquirer = new Acquirer((capture) => wallets.credit(capture.account, capture.amountCents, capture.captureId));
const topUps = new TopUps({ acquirer, wallets });

async function handle(req, res) {
  const { pathname } = new URL(req.url, 'http://wallet');
  const [, kind, id, action] = pathname.split('/');
  if (kind !== 'wallets' || !id) return sendJson(res, 404, { error: 'not found' });
  if (req.method === 'GET') return sendJson(res, 200, wallets.statement(id));
  if (req.method === 'POST' && action === 'topups') {
    const order = await readJson(req);
    return sendJson(res, 200, await topUps.place(id, order));
  }
  sendJson(res, 405, { error: 'method not allowed' });
}

createServer((req, res) => {
  handle(req, res).catch((error) => sendJson(res, error.status ?? 500, { error: error.message }));
}).listen(process.env.PORT, '127.0.0.1');
