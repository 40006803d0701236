export interface Session {
  id: string;
  day: number;
  startsAt: string;
  room: string;
  title: string;
  speakerIds: number[];
}

export interface Speaker {
  id: number;
  name: string;
  company: string;
}

const names = [
  'A. Moreau',
  'B. Hart',
  'C. Nilsen',
  'D. Osei',
  'E. Fuchs',
  'F. Tanaka',
  'G. Silva',
  'H. Kowal',
  'I. Reyes',
];
const companies = ['Northwind', 'Fabrikate', 'Lumen Labs'];
export const speakers: Speaker[] = names.map((name, index) => ({
  id: index + 1,
  name,
  company: companies[index % companies.length] as string,
}));

const topics = ['Queues', 'Types', 'Caches', 'Deploys', 'Search', 'Metrics', 'Layouts', 'Schemas'];
const rooms = ['Aula', 'Library', 'Studio', 'Loft'];

function sessionsOf(day: number, count: number): Session[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `s${day}${String(index + 1).padStart(2, '0')}`,
    day,
    startsAt: `${String(9 + Math.floor(index / 4)).padStart(2, '0')}:00`,
    room: rooms[index % 4] as string,
    title: `${topics[index % topics.length]} in practice, part ${Math.floor(index / topics.length) + 1}`,
    speakerIds: index % 5 === 4 ? [(index % 9) + 1, ((index + 4) % 9) + 1] : [(index % 9) + 1],
  }));
}

export const sessions: Session[] = [...sessionsOf(1, 3), ...sessionsOf(2, 32), ...sessionsOf(3, 2)];
