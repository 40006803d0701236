import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express';
import { accountRoutes } from './accounts/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import type { Database } from './database/database.ts';
import { postRoutes } from './posts/routes.ts';
import { Refusal } from './refusal.ts';
import { reportRoutes } from './reports/routes.ts';

/** Creates the shop, which uses `database`. `control` contains the route that makes simulated visitors send requests. */
export function createApp(database: Database, control: Router): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '100kb' }));
  app.get('/health', async (_request, response) => {
    const [answer] = await database.query<{ up: boolean }>('SELECT true AS up');
    response.json({ status: answer?.up === true ? 'ok' : 'no database' });
  });
  app.use(accountRoutes(database));
  app.use(postRoutes(database));
  app.use(catalogueRoutes(database));
  app.use(checkoutRoutes(database));
  app.use(reportRoutes(database));
  app.use(control);
  app.use(nothingHere);
  app.use(answerError);
  return app;
}

const nothingHere: RequestHandler = (request) => {
  throw new Refusal(404, `There is no ${request.method} ${request.path}`);
};

/** An error that is not a `Refusal` is a bug in the shop. Nothing is logged, because the traces show the error. */
const answerError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) {
    next(error);
    return;
  }
  const status = findStatus(error);
  const message = status >= 500 || !(error instanceof Error) ? 'Something went wrong' : error.message;
  response.status(status).json({ error: message });
};

/** Returns the status of a `Refusal`, or the status that Express's parsers set on an error. Returns 500 for any other error. */
function findStatus(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}
