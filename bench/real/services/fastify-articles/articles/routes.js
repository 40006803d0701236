import { changeArticle, listArticles, listTags, showArticle } from './controller.js';
import { changeSchema, listSchema, showSchema } from './schemas.js';

export async function articleRoutes(app) {
  app.get('/articles', { schema: listSchema }, listArticles);
  app.get('/articles/:slug', { schema: showSchema }, showArticle);
  app.put('/articles/:slug', { schema: changeSchema, onRequest: app.requireUser }, changeArticle);
  app.get('/tags', listTags);
}
