import { setTimeout as sleep } from 'node:timers/promises';

const MEMBERS = { 'k-17': 'Yara Benali', 'k-22': 'Pieter Smits', 'k-31': 'Lucía Ferrer' };

async function findMember(req) {
  await sleep(1);
  return MEMBERS[req.headers['x-key']] ?? null;
}

async function readBody(req) {
  let text = '';
  for await (const chunk of req) text += chunk;
  return JSON.parse(text || '{}');
}

function toFailure(error) {
  return { status: error.status ?? 500, body: { error: error.message, round: error.round } };
}

export function createApi({ rounds, ledger }) {
  async function decide(req) {
    const [, , id, action] = req.url.split('/');
    if (req.method !== 'POST' || action !== 'decision') return { status: 404, body: { error: 'not found' } };
    const member = await findMember(req);
    if (!member) return { status: 401, body: { error: 'sign in' } };
    const { awards } = await readBody(req);
    const round = rounds.open(id);
    const decided = rounds.decide(round, awards, member);
    const booking = ledger.post(round, decided.awards);
    return { status: 201, body: { ...decided, booking } };
  }

  return async (req, res) => {
    const { status, body } = await decide(req).catch(toFailure);
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}
