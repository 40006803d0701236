import { login, showCurrent } from './controller.js';
import { loginSchema } from './schemas.js';

export async function userRoutes(app) {
  app.post('/users/login', { schema: loginSchema }, login);
  app.get('/user', { onRequest: app.requireUser }, showCurrent);
}
