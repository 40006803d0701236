import { createServer, type IncomingMessage } from 'node:http';
import { assessDuty } from './duty.ts';
import { findInvoice } from './invoices.ts';

async function dispatch(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const [, collection, id, action] = (request.url ?? '').split('/');
  const invoice = collection === 'invoices' && id ? await findInvoice(id) : undefined;
  if (!invoice) return { status: 404, body: { error: 'not found' } };
  if (action === 'duty') return { status: 200, body: await assessDuty(invoice) };
  return { status: 200, body: { id: invoice.id, importer: invoice.importer, lines: invoice.lines.length } };
}

export function start(port: number): void {
  createServer(async (request, response) => {
    const { status, body } = await dispatch(request).catch((error: Error) => ({
      status: 500,
      body: { error: error.message },
    }));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }).listen(port, '127.0.0.1');
}
