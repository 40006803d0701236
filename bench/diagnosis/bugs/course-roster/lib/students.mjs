import { setTimeout as sleep } from 'node:timers/promises';

const firstNames = ['Ada', 'Bela', 'Chiara', 'Dmitri', 'Eva', 'Farid', 'Greta'];
const lastNames = ['Abel', 'Brandt', 'Costa', 'Dorn', 'Engel', 'Falk', 'Gruber', 'Hahn', 'Ibsen', 'Jung', 'Klee'];

const students = new Map();
for (let id = 1; id <= 260; id++) {
  const first = firstNames[id % firstNames.length];
  const last = lastNames[id % lastNames.length];
  students.set(id, { id, first, last, semester: 1 + (id % 6) });
}

async function query(run) {
  await sleep(3);
  return run();
}

export function findStudent(id) {
  return query(() => students.get(id) ?? null);
}

export function findStudents(ids) {
  return query(() => ids.map((id) => students.get(id)).filter(Boolean));
}
