import { randomUUID } from 'node:crypto';
import { tokens } from '../text/tokens.mjs';
import { saveCard } from './card-store.mjs';
import { classify } from './classify.mjs';

const initials = (name) =>
  name
    .split(/\s+/)
    .map((part) => part[0].toUpperCase())
    .join('');

function groupByKind(entries) {
  const groups = {};
  for (const { kind, value } of entries) groups[kind] = [...(groups[kind] ?? []), value];
  return groups;
}

function reachable(groups) {
  return Boolean(groups.email ?? groups.phone);
}

export async function importCard(year, { name, contact }) {
  const entries = tokens(contact).map(classify);
  const groups = groupByKind(entries);
  const card = {
    id: randomUUID(),
    year,
    name,
    initials: initials(name),
    contacts: groups,
    reachable: reachable(groups),
  };
  const position = await saveCard(year, card);
  return { ...card, position, importedAt: new Date().toISOString() };
}
