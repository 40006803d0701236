import { setTimeout as wait } from 'node:timers/promises';

const agents = {
  'agt-fr-1': { name: 'Claire Morel', locale: 'fr', office: 'Lyon' },
  'agt-fr-2': { name: 'Yanis Belkacem', locale: 'fr', office: 'Lille' },
  'agt-de-1': { name: 'Jonas Weiß', locale: 'de', office: 'Leipzig' },
  'agt-pl-1': { name: 'Ewa Nowak', locale: 'pl', office: 'Gdynia' },
};
const known = new Map();

function tokenFrom(header = '') {
  const [scheme, token] = header.split(' ');
  return scheme === 'Bearer' ? token : undefined;
}

async function askIdentityProvider(token) {
  await wait(70);
  return agents[token];
}

export async function findAgent(header) {
  const token = tokenFrom(header);
  const agent = known.get(token) ?? (await askIdentityProvider(token));
  if (!agent) throw Object.assign(new Error('sign in first'), { status: 401 });
  known.set(token, agent);
  return agent;
}
