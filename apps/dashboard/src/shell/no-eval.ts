import { config } from 'zod';

/**
 * zod tries `new Function` to check whether it can compile schemas. The page's content security policy forbids `new Function` and reports
 * each attempt as a violation. This setting must be made before any schema is created; the chunk `contract` in vite.config.ts ensures that.
 */
config({ jitless: true });
