import { randomBytes } from 'node:crypto';
import Router from '@koa/router';
import { checkGoods } from '../customs/check-goods.mjs';
import { declare } from '../customs/declare.mjs';

export const declarations = new Router();

const movementNumber = () => `25NL${randomBytes(6).toString('hex').toUpperCase()}`;

declarations.post('/declarations', async (ctx) => {
  const { importer, incoterm, goods } = ctx.state.payload;
  checkGoods(goods);
  const declared = await declare(goods, importer);
  ctx.body = { mrn: movementNumber(), importer: importer.eori, incoterm, ...declared, acceptedAt: new Date().toISOString() };
});
