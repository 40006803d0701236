import { latestPass } from './passes.mjs';
import { endOf } from './terms.mjs';

const levels = { north: ['P1', 'P2'], south: ['P3'] };
const entries = { north: 0, south: 0 };

const refuse = (message) => {
  throw Object.assign(new Error(message), { status: 403 });
};

function levelFor(gate) {
  const open = levels[gate];
  return open[entries[gate] % open.length];
}

export async function openGate(gate, { plate, at }) {
  const pass = await latestPass(plate);
  if (pass === null) refuse(`${plate} has no pass`);
  const end = endOf(pass);
  if (new Date(at) > end) refuse(`pass ${pass.id} ended at ${end.toISOString()}`);
  const level = levelFor(gate);
  entries[gate] += 1;
  return { pass: pass.id, level, entries: entries[gate] };
}
