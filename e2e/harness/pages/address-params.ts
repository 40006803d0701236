import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { METHODS, PublicParams } from '../../../apps/dashboard/src/features/public/public-params.ts';
import { ViewParams } from '../../../apps/dashboard/src/shell/url-state/search-params.ts';
import { SIGNED_OUT_PARAMS } from '../../../apps/dashboard/src/shell/url-state/signed-out-params.ts';
import { root } from '../server/places.ts';

/** URL parameters of the signed-in pages, with the schemas that the router uses. */
export const VIEW_PARAMS: Readonly<Record<string, z.ZodType>> = ViewParams.shape;

/** URL parameters of the pages that need no login. */
export const SIGNED_OUT_PAGE_PARAMS: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  ...Object.fromEntries(Object.entries(SIGNED_OUT_PARAMS).map(([path, { shape }]) => [path, shape])),
  '/public/$id': PublicParams.shape,
};

const ID = '00000000-0000-7000-8000-000000000000';
const NOW = new Date();
const TODAY = NOW.toISOString().slice(0, 10);

/** Sample values for parameters that accept more than a fixed list of words. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  project: [ID],
  q: ['/orders', ID],
  method: [...METHODS, 'PROPFIND'],
  code: ['200', '500', '0'],
  route: ['/orders/:id'],
  service: ['orders'],
  environment: ['production'],
  release: ['1.2.3'],
  instance: ['w3'],
  caller: ['shop'],
  user: ['19'],
  session: ['s1'],
  country: ['DE', 'ZZ'],
  endpoint: ['GET /orders/:id'],
  feature: ['orders'],
  errorGroup: ['no price for …'],
  errorIds: ['0'.repeat(32), `${'0'.repeat(32)},${'a'.repeat(32)}`],
  errorText: ['no price'],
  stepName: ['SELECT 1'],
  dependency: ['postgresql'],
  minCalls: ['1', '999999'],
  requests: [ID, `${ID},${ID}`],
  minSteps: ['0'],
  maxSteps: ['999999'],
  from: [new Date(NOW.getTime() - 60_000).toISOString()],
  to: [NOW.toISOString()],
  min: ['0', '0.5'],
  max: ['999.999'],
  exclude: ['-instance:w3', '-user:19 -status:error'],
  area: [`${new Date(NOW.getTime() - 60_000).toISOString()}_${NOW.toISOString()}_100_`],
  attribute: ['plan:gold', 'plan'],
  value: ['totalCents>50000', 'no stock'],
  trace: [ID],
  step: ['s1'],
  find: ['price', 'type:database'],
  error: ['0'.repeat(32)],
  tab: [
    ...'overview insights performance errors flows system users business audit security 2fa account'.split(
      ' ',
    ),
  ],
  tables: ['errors:-requests:no stock', 'endpoints::shop;slowest-requests:status'],
  start: [TODAY],
  end: [TODAY],
  compare: ['previous', 'good', 'before', ID],
  origin: ['{}', '["s1","output",[]]'],
};

/** Lists values to test a parameter with: the words in its schema, or its samples. */
export function listValues(name: string): readonly string[] {
  return SAMPLES[name] ?? listWords(VIEW_PARAMS[name]);
}

/** True if the parameter accepts only certain values. Any other value is ignored. */
export function isStrict(name: string): boolean {
  return VIEW_PARAMS[name]?.parse('no such word') === undefined;
}

/** Returns the names of the schemas that the router's source code assigns to routes. */
export function readRouterSchemas(): readonly string[] {
  const source = readFileSync(join(root, 'apps/dashboard/src/router.tsx'), 'utf8');
  return [...source.matchAll(/validateSearch: (.+),/g)].map(([, schema = '']) => schema);
}

/** Lists the words that a schema accepts. Returns an empty list if the schema also accepts other strings. */
export function listWords(schema: z.ZodType | undefined): readonly string[] {
  if (schema === undefined) return [];
  const { enum: words, const: word } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  return (words ?? (word === undefined ? [] : [word])).map(String);
}
