import { setTimeout as wait } from 'node:timers/promises';

const projects = new Map(
  [
    { id: 'P-300', client: 'alpina', from: 'de', to: 'en', words: 1840, repeated: 310 },
    { id: 'P-301', client: 'nordlys', from: 'nb', to: 'de', words: 920, repeated: 0 },
    { id: 'P-302', client: 'medica', from: 'en', to: 'fr', words: 5210, repeated: 1150 },
    { id: 'P-303', client: 'alpina', from: 'de', to: 'it', words: 2400, repeated: 600 },
    { id: 'P-304', client: 'nordlys', from: 'nb', to: 'en', words: 410, repeated: 35 },
  ].map((project) => [project.id, project])
);

export async function loadProject(id) {
  await wait(48);
  const project = projects.get(id);
  if (!project) throw Object.assign(new Error(`no project ${id}`), { status: 404 });
  return project;
}

export async function markAccepted(id, reference) {
  await wait(5);
  projects.get(id).reference = reference;
}
