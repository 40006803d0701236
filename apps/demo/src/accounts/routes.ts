import { Router } from 'express';
import type { Database } from '../database/database.ts';
import { MAX_ID, readInteger } from '../input.ts';
import { signIn } from './sessions.ts';
import { createUser, findUser, listUsers } from './users.ts';

export function accountRoutes(database: Database): Router {
  const routes = Router();
  routes.get('/users', async (request, response) => {
    const limit = readInteger(request.query.limit, 'limit', { min: 1, max: 100, fallback: 20 });
    response.json({ users: await listUsers(database, limit) });
  });
  routes.get('/users/:id', async (request, response) => {
    const id = readInteger(request.params.id, 'id', { min: 1, max: MAX_ID });
    response.json({ user: await findUser(database, id) });
  });
  routes.post('/users', async (request, response) => {
    response.status(201).json({ user: await createUser(database, request.body) });
  });
  routes.post('/sessions', async (request, response) => {
    response.status(201).json(await signIn(database, request.body));
  });
  return routes;
}
