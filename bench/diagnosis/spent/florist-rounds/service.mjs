import Koa from 'koa';
import { router } from './rounds/router.mjs';
import { errors } from './lib/errors.mjs';
import { jsonBody } from './lib/json-body.mjs';

new Koa().use(errors).use(jsonBody).use(router.routes()).listen(Number(process.env.PORT), '127.0.0.1');
