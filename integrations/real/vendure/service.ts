import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealRequest, RealService } from '../harness/service.ts';

export const ADMIN_PASSWORD = 'correct-horse-battery';
export const ADMIN_TOKEN = '8c1f0e9d7b6a5948372615049f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c';

/**
 * Vendure 3: NestJS on Express 5, Apollo Server and TypeORM with sql.js. TypeScript with decorators, compiled to CommonJS with source maps
 * that do not contain the sources.
 */
export const service: RealService = {
  name: 'vendure',
  own: ['@vendure/core', '@vendure/common'],
  ownFiles: ['server.cjs'],
  script: 'server.cjs',
  args: () => [],
  env: (port) => ({
    ADMIN_NAME: 'ada',
    ADMIN_PASSWORD,
    ADMIN_TOKEN,
    PORT: `${port}`,
    VENDURE_DISABLE_TELEMETRY: 'true',
    TZ: 'UTC',
  }),
  volatile: [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, /^etag: .*$/gim, /^vendure-auth-token: .*$/gim],
};

const anonymous = { 'content-type': 'application/json' };
const admin = { ...anonymous, authorization: `Bearer ${ADMIN_TOKEN}` };

function ask(query: string, variables: object, headers: RealRequest['headers'] = admin): RealRequest {
  return { method: 'POST', path: '/admin-api', headers, body: JSON.stringify({ query, variables }) };
}

const LOGIN = `mutation Login($name: String!, $password: String!) {
  login(username: $name, password: $password) { __typename ... on CurrentUser { id identifier } ... on ErrorResult { errorCode message } }
}`;
const CREATE_PRODUCT = `mutation CreateProduct($input: CreateProductInput!) {
  createProduct(input: $input) { id name slug facetValues { id name facet { code } } }
}`;
const PRODUCTS = `query Products($options: ProductListOptions) {
  products(options: $options) {
    totalItems
    items { id name translations { languageCode slug } facetValues { name facet { id code } } optionGroups { id } }
  }
}`;

const teapot = (name: string) => ({
  facetValueIds: ['1'],
  translations: [{ languageCode: 'en', name, slug: name, description: 'It pours' }],
});

export const scenario: Scenario = {
  inTurn: [
    { path: '/health' },
    ask(LOGIN, { name: 'ada', password: ADMIN_PASSWORD }, anonymous),
    ask(LOGIN, { name: 'ada', password: 'wrong' }, anonymous),
    ask(
      'mutation CreateFacet($input: CreateFacetInput!) { createFacet(input: $input) { id code values { id code } } }',
      {
        input: {
          code: 'material',
          isPrivate: false,
          translations: [{ languageCode: 'en', name: 'Material' }],
          values: [{ code: 'china', translations: [{ languageCode: 'en', name: 'China' }] }],
        },
      },
    ),
    ask(CREATE_PRODUCT, { input: teapot('Tea Pot') }),
    ask(PRODUCTS, { options: { filter: { name: { contains: 'Pot' } } } }),
    ask(
      'mutation UpdateProduct($input: UpdateProductInput!) { updateProduct(input: $input) { id enabled updatedAt } }',
      { input: { id: '1', enabled: false } },
    ),
    ask('query Product($id: ID!) { product(id: $id) { id name } }', { id: '999' }),
    ask('mutation UpdateProduct($input: UpdateProductInput!) { updateProduct(input: $input) { id } }', {
      input: { id: '999', enabled: false },
    }),
    ask(CREATE_PRODUCT, { input: teapot('kettle') }, anonymous),
    ask('query Wrong { products { items { price } } }', {}),
    ask('query NoArgument { product { id } }', {}),
    ask('mutation DeleteProduct($id: ID!) { deleteProduct(id: $id) { result message } }', { id: '1' }),
    { path: '/missing' },
    { method: 'POST', path: '/admin-api', headers: admin, body: '{"query":' },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    ask(PRODUCTS, { options: { filter: { name: { contains: buildMarker(nth) } } } }),
  ),
};
