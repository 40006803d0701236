import { serve } from '@hono/node-server';
import app from './src/app.ts';

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
