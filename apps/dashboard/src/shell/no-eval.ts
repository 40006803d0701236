import { config } from 'zod';

/**
 * zod tries `new Function` to find out whether it may compile its checks. The page's content-security policy forbids that, and each try is
 * reported as a breach of it. Comes before any schema is made: so says the chunk `contract` in vite.config.ts.
 */
config({ jitless: true });
