import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { findTenancy } from '../people/tenancies.mjs';
import { LayoutStore } from './layout-store.mjs';
import { LetterRenderer } from './letter-renderer.mjs';

export function lettersRouter() {
  const router = Router();
  const renderer = new LetterRenderer(new LayoutStore());

  router.post('/', async (request, response) => {
    const { kind, tenancy: id } = request.body;
    const tenancy = await findTenancy(id);
    const letter = await renderer.render(kind, tenancy, request.agent);
    response.status(201).json({ id: randomUUID(), kind, ...letter, sentAt: new Date().toISOString() });
  });

  return router;
}
