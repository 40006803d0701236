import Fastify from 'fastify';
import { ArticleRepository } from './articles/repository.js';
import { articleRoutes } from './articles/routes.js';
import { ArticleService } from './articles/service.js';
import { openDatabase } from './database.js';
import { answerError, ServiceError } from './errors.js';
import { UserRepository } from './users/repository.js';
import { userRoutes } from './users/routes.js';
import { UserService } from './users/service.js';

/**
 * Builds a service with the structure of the RealWorld services: routes with schemas, controllers, services, and repositories over SQLite.
 */
export async function buildApp() {
  const app = Fastify({ logger: false });
  const database = openDatabase();
  const users = new UserService(new UserRepository(database));
  const articles = new ArticleService(new ArticleRepository(database), users);
  app.decorate('services', { users, articles });
  app.decorateRequest('user', null);
  app.addHook('onRequest', async function identify(request) {
    request.user = users.authenticate(request.headers.authorization);
  });
  app.decorate('requireUser', async function requireUser(request) {
    if (request.user === null) throw new ServiceError(401, { token: ['is missing'] });
  });
  app.setErrorHandler(answerError);
  await app.register(userRoutes, { prefix: '/api' });
  await app.register(articleRoutes, { prefix: '/api' });
  return app;
}
