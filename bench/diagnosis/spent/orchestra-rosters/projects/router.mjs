import { Router } from 'express';
import { seatsOf } from '../desks/repository.mjs';
import { findProject, listPlayers } from './repository.mjs';
import { buildRoster } from './roster.mjs';

export const projects = Router();

projects.get('/:slug/roster', async (request, response) => {
  const project = await findProject(request.params.slug);
  const roster = await buildRoster(project);
  response.json({ project: project.title, ...roster, printedAt: new Date().toISOString() });
});

projects.get('/:slug/seats', async (request, response) => {
  const project = await findProject(request.params.slug);
  const players = await listPlayers(project);
  const seats = await seatsOf(players.map(({ id }) => id));
  response.json({ project: project.title, seats: [...seats.values()] });
});
