import { setTimeout } from 'node:timers/promises';

const clients = new Map(Object.entries({
  'acme-studio': { name: 'Acme Studio GmbH', country: 'DE', vatRate: 0.19 },
  'praia-surf': { name: 'Praia Surf Lda', country: 'PT', vatRate: 0.23 },
  'nordlys': { name: 'Nordlys AS', country: 'NO', vatRate: 0 },
  'tartu-books': { name: 'Tartu Books OÜ', country: 'EE', vatRate: 0.22 },
  'les-halles': { name: 'Les Halles SARL', country: 'FR', vatRate: 0.2 },
}));

export async function getClient(id) {
  await setTimeout(1);
  const client = clients.get(id);
  if (!client) throw new Error(`no client ${id}`);
  return client;
}
