import { authRoutes } from './auth.ts';
import { ingestRoutes } from './ingest.ts';
import { demoRoutes, productRoutes } from './product.ts';
import { projectRoutes } from './projects.ts';
import { traceRoutes } from './traces.ts';

/** Every call there is, by domain and name. */
export const routes = {
  auth: authRoutes,
  projects: projectRoutes,
  ingest: ingestRoutes,
  traces: traceRoutes,
  product: productRoutes,
  demo: demoRoutes,
} as const;
