import { serve } from '@hono/node-server';
import { routes } from './src/routes.ts';

serve({ fetch: routes.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
