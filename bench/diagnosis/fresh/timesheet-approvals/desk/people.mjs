import { setTimeout as sleep } from 'node:timers/promises';

const people = {
  lind: { login: 'lind', name: 'Astrid Lind', role: 'lead', teams: ['civil', 'survey'] },
  ortega: { login: 'ortega', name: 'Paco Ortega', role: 'engineer', teams: ['civil'] },
  achebe: { login: 'achebe', name: 'Ifeoma Achebe', role: 'engineer', teams: ['survey'] },
  kovacs: { login: 'kovacs', name: 'Bence Kovács', role: 'lead', teams: ['civil'] },
};

export async function personFor(login) {
  await sleep(2);
  const person = people[login];
  if (!person) throw Object.assign(new Error('unknown user'), { statusCode: 401 });
  return person;
}
