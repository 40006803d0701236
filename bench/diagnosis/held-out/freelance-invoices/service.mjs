import { createServer } from 'node:http';
import { draftInvoice } from './invoices/draft.mjs';

async function body(req) {
  let text = '';
  req.setEncoding('utf8');
  for await (const part of req) text += part;
  return JSON.parse(text);
}

async function onRequest(req, res) {
  if (req.method !== 'POST' || req.url !== '/invoices') {
    res.writeHead(404).end();
    return;
  }
  try {
    const invoice = await draftInvoice(await body(req));
    res.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(invoice));
  } catch (error) {
    const status = error instanceof SyntaxError ? 400 : 500;
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: error.message }));
  }
}

createServer(onRequest).listen(process.env.PORT, '127.0.0.1');
