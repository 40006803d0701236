import { setTimeout as wait } from 'node:timers/promises';

const FIRST = ['Anouk', 'Bela', 'Carys', 'Dario', 'Edda', 'Florin', 'Greta', 'Hana'];
const LAST = ['Abel', 'Brodsky', 'Castell', 'Duarte', 'Engel', 'Fontana'];
const SCORING = [
  ['violin', 18],
  ['viola', 8],
  ['cello', 7],
  ['flute', 3],
  ['oboe', 2],
  ['horn', 4],
  ['timpani', 1],
];

const players = SCORING.flatMap(([instrument, count]) => Array(count).fill(instrument)).map(
  (instrument, index) => ({
    id: `p${100 + index}`,
    name: `${FIRST[index % FIRST.length]} ${LAST[index % LAST.length]}`,
    instrument,
  }),
);

const quartet = (first) => [players[first], players[first + 1], players[18 + first], players[26 + first]];

const projects = new Map([
  ['schubert-quartet', { title: 'Death and the Maiden', members: quartet(0) }],
  ['haydn-quartet', { title: 'The Lark', members: quartet(2) }],
  ['wind-trio', { title: 'Terzetto', members: [players[33], players[36], players[38]] }],
  ['brahms-sextet', { title: 'Sextet No. 1', members: [...quartet(4), players[23], players[31]] }],
  ['mahler-4', { title: 'Symphony No. 4', members: players }],
]);

export async function findProject(slug) {
  await wait(3);
  const project = projects.get(slug);
  if (!project) throw Object.assign(new Error(`no project ${slug}`), { status: 404 });
  return { slug, ...project };
}

export async function listPlayers(project) {
  await wait(5);
  return project.members.map((player) => ({ ...player }));
}
