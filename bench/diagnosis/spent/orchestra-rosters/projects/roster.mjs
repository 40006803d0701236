import { seatOf } from '../desks/repository.mjs';
import { listPlayers } from './repository.mjs';

const ORDER = ['violin', 'viola', 'cello', 'flute', 'oboe', 'horn', 'timpani'];

function bySection(entries) {
  const sections = new Map(ORDER.map((instrument) => [instrument, []]));
  for (const entry of entries) sections.get(entry.instrument).push(entry);
  return sections;
}

function byDesk(a, b) {
  return a.desk - b.desk || a.name.localeCompare(b.name);
}

function toEntry(player, seat) {
  return { name: player.name, instrument: player.instrument, desk: seat.desk, side: seat.side };
}

function printSection([instrument, entries]) {
  return {
    instrument,
    players: entries.sort(byDesk).map(({ name, desk, side }) => `${desk}${side} ${name}`),
  };
}

export async function buildRoster(project) {
  const players = await listPlayers(project);
  const entries = [];
  for (const player of players) {
    const seat = await seatOf(player.id);
    entries.push(toEntry(player, seat));
  }
  const sections = [...bySection(entries)].filter(([, members]) => members.length > 0);
  return { players: entries.length, sections: sections.map(printSection) };
}
