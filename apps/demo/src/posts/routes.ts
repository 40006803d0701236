import { Router } from 'express';
import { getCustomer, requireCustomer } from '../accounts/authenticate.ts';
import type { Database } from '../database/database.ts';
import { MAX_ID, readFields, readInteger, readText } from '../input.ts';
import { createPost, findPost, listPosts } from './posts.ts';

export function postRoutes(database: Database): Router {
  const routes = Router();
  routes.get('/posts', async (request, response) => {
    const limit = readInteger(request.query.limit, 'limit', { min: 1, max: 50, fallback: 5 });
    response.json({ posts: await listPosts(database, limit) });
  });
  routes.get('/posts/:id', async (request, response) => {
    const id = readInteger(request.params.id, 'id', { min: 1, max: MAX_ID });
    response.json({ post: await findPost(database, id) });
  });
  routes.post('/posts', requireCustomer(database), async (request, response) => {
    const { title, body } = readFields(request.body);
    const post = await createPost(database, getCustomer(request).id, {
      title: readText(title, 'title'),
      body: readText(body, 'body', 5000),
    });
    response.status(201).json({ post });
  });
  return routes;
}
