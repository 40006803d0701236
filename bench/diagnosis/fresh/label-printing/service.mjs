import Koa from 'koa';
import { withBody } from './middleware/body.mjs';
import { withErrors } from './middleware/errors.mjs';
import { router } from './routes.mjs';

new Koa().use(withErrors).use(withBody).use(router.routes()).use(router.allowedMethods()).listen(Number(process.env.PORT), '127.0.0.1');
