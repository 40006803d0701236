import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealRequest, RealService } from '../harness/service.ts';

export const ADMIN_SECRET = 'correct-horse-battery-staple';

/**
 * Platformatic DB 3: Fastify 5, ES modules as written, Mercurius, and `pg` below @databases/pg. Queries are tagged templates, and the
 * authorization binds itself before each function of an entity.
 */
export const service: RealService = {
  name: 'platformatic-db',
  own: ['db', 'db-authorization', 'db-core', 'service', 'sql-graphql', 'sql-mapper', 'sql-openapi'].map(
    (name) => `@platformatic/${name}`,
  ),
  ownFiles: ['server.mjs'],
  script: 'server.mjs',
  args: () => [],
  needsDatabase: 'PostgreSQL',
  env: (port, database) => ({ ADMIN_SECRET, DATABASE_URL: database, PORT: `${port}`, TZ: 'UTC' }),
  files: {
    '001.do.sql': `
CREATE TABLE movies (id SERIAL PRIMARY KEY, title TEXT NOT NULL, author TEXT);
CREATE TABLE quotes (id SERIAL PRIMARY KEY, quote TEXT NOT NULL, likes INTEGER, author TEXT, movie_id INTEGER REFERENCES movies(id));
INSERT INTO movies (title) VALUES ('Alien'), ('Brazil'), ('Casablanca');
INSERT INTO quotes (quote, likes, movie_id) VALUES ('Here is looking at you', 12, 3), ('Play it', 3, 3), ('In space', 5, 1);
`,
  },
  // The overlapping requests create movies in any order, so the ids of the new movies differ from run to run.
  volatile: [/(?<=^location: \/movies\/)\d+$/gim],
};

const admin = { 'x-platformatic-admin-secret': ADMIN_SECRET };
/** Headers with which the administrator acts as the user `ada`, who has the role `author`. */
const author = { ...admin, 'x-platformatic-role': 'author', 'x-platformatic-user-id': 'ada' };

const post = (path: string, body: object, headers: RealRequest['headers'] = admin): RealRequest => ({
  method: 'POST',
  path,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const ask = (query: string, variables: object = {}) => post('/graphql', { query, variables });

export const scenario: Scenario = {
  inTurn: [
    { path: '/movies' },
    { path: '/movies?where.title.like=%25a%25&orderby.title=desc&limit=2&totalCount=true', headers: admin },
    { path: '/movies/3', headers: admin },
    { path: '/movies/99', headers: admin },
    { path: '/movies/3/quotes?fields=quote,likes', headers: admin },
    { path: '/quotes' },
    post('/movies', { title: 'Dune' }, {}),
    post('/movies', { title: 'Dune' }, author),
    post('/movies', { name: 'Dune' }, author),
    { ...post('/movies/1', { title: 'Aliens' }), method: 'PUT' },
    { method: 'DELETE', path: '/movies/3', headers: admin },
    { method: 'DELETE', path: '/movies/2', headers: admin },
    { ...post('/movies', {}), body: '{"title":' },
    { path: '/movies?limit=1000', headers: admin },
    ask('{ movies(orderBy: [{ field: id, direction: ASC }]) { id title quotes { quote likes } } }'),
    ask('mutation Save($quote: QuoteInput!) { saveQuote(input: $quote) { id quote movie { title } } }', {
      quote: { quote: 'Spice', movieId: 1, likes: 1 },
    }),
    ask('mutation { deleteMovies(where: { id: { eq: "3" } }) { id } }'),
    ask('{ movies { price } }'),
    { path: '/missing' },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    nth % 2 === 0
      ? post('/movies?fields=title', { title: buildMarker(nth) }, author)
      : { path: `/movies?where.title.eq=${buildMarker(nth)}`, headers: admin },
  ),
};
