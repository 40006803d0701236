import express, { type NextFunction, type Request, type Response } from 'express';
import { deskOf, type Desk } from './desks/directory.ts';
import { deskName } from './desks/cookie.ts';
import { search } from './items/search.ts';
import { describe } from './items/describe.ts';

async function withDesk(req: Request, res: Response, next: NextFunction): Promise<void> {
  const name = deskName(req.headers.cookie ?? '');
  res.locals.desk = await deskOf(name);
  next();
}

export function createApp() {
  const app = express();

  app.get('/items', withDesk, async (req, res) => {
    const desk = res.locals.desk as Desk;
    const items = await search(desk, {
      kind: String(req.query.kind ?? ''),
      colour: String(req.query.colour ?? ''),
    });
    res.json({ searchedAt: new Date().toISOString(), items: items.map((item) => describe(item, desk)) });
  });

  app.use((error: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
    res.status(error.status ?? 500).json({ error: error.message });
  });

  return app;
}
