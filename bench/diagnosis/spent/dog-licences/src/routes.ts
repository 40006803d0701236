import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { feeOf } from './fees.ts';
import { addressLines, compose, paragraph, salutation } from './reminder.ts';
import { currentOwner, dogsOf, dogWithOwner } from './repository.ts';
import type { Owner } from './tables.ts';

async function remind(tag: string, today: string) {
  const row = await dogWithOwner(tag);
  if (!row) throw new HTTPException(404, { message: `no dog has the tag ${tag}` });
  const { holder, ...dog } = row;
  const owner = holder as Owner;
  const fee = feeOf(dog.breed, dog.licensedUntil, today);
  const text = paragraph(dog, fee.total, dog.licensedUntil);
  return { fee, to: addressLines(owner), letter: compose(salutation(owner), text) };
}

export const routes = new Hono();

routes.post('/dogs/:tag/reminders', async (c) => {
  const { today } = await c.req.json<{ today: string }>();
  return c.json(await remind(c.req.param('tag'), today));
});

routes.get('/owners/:id', async (c) => {
  const owner = await currentOwner(c.req.param('id'));
  if (!owner) return c.json({ error: 'no such owner' }, 404);
  const dogs = await dogsOf(owner);
  return c.json({ name: salutation(owner), dogs: dogs.map(({ name }) => name) });
});

routes.onError((error, c) =>
  c.json({ error: error.message }, error instanceof HTTPException ? error.status : 500),
);
