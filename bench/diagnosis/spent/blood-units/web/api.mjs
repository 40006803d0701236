import { readBody } from './read-body.mjs';

const ISSUE = /^\/sites\/(?<site>[a-z-]+)\/issues$/;

function reply(response, status, body) {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

function validate({ patient, ward, units }) {
  if (!patient?.type || !ward)
    throw Object.assign(new Error('patient and ward are required'), { status: 400 });
  if (!(units >= 1 && units <= 10)) throw Object.assign(new Error('1 to 10 units'), { status: 400 });
  return { patient, ward, units };
}

export function createApi(bank) {
  return async (request, response) => {
    const match = ISSUE.exec(request.url);
    if (request.method !== 'POST' || !match) return reply(response, 404, { error: 'not found' });
    try {
      const order = validate(await readBody(request));
      reply(response, 201, await bank.issue(match.groups.site, order));
    } catch (error) {
      reply(response, error.status ?? 500, { error: error.message });
    }
  };
}
