import { createServer } from 'node:http';
import { accession, accessionsOf } from './bank/catalogue.mjs';

async function route(path) {
  const [, resource, id, part] = path.split('/');
  if (resource === 'genera' && part === 'accessions') return accessionsOf(decodeURIComponent(id));
  if (resource === 'accessions' && id) return accession(id);
  throw Object.assign(new Error('not found'), { status: 404 });
}

createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  try {
    response.end(JSON.stringify(await route(request.url)));
  } catch (error) {
    response.statusCode = error.status ?? 500;
    response.end(JSON.stringify({ error: error.message }));
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
