import { create } from '@platformatic/db';

const { ADMIN_SECRET, DATABASE_URL, PORT } = process.env;

/** Starts Platformatic DB without its runtime, which would run the service in a worker thread. */
const service = await create(process.cwd(), {
  server: { hostname: '127.0.0.1', port: Number(PORT), logger: { level: 'error' } },
  db: { connectionString: DATABASE_URL, openapi: true, graphql: true, events: false },
  migrations: { dir: '.', autoApply: true, validateChecksums: false },
  authorization: {
    adminSecret: ADMIN_SECRET,
    rules: [
      { role: 'anonymous', entity: 'movie', find: true, save: false, delete: false },
      {
        role: 'author',
        entities: ['movie', 'quote'],
        find: true,
        delete: false,
        save: true,
        defaults: { author: 'X-PLATFORMATIC-USER-ID' },
      },
    ],
  },
});
await service.start({ listen: true });
