import { accountRoutes } from './account.ts';
import { analyticsRoutes } from './analytics.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth.ts';
import { billingRoutes, userBillingRoutes } from './billing.ts';
import { deletionRoutes } from './deletions.ts';
import { ingestRoutes } from './ingest.ts';
import { invitationRoutes } from './invitations.ts';
import { orgRoutes } from './orgs.ts';
import { demoRoutes, productRoutes } from './product.ts';
import { projectRoutes } from './projects.ts';
import { traceFacetRoutes } from './trace-facets.ts';
import { traceFigureRoutes } from './trace-figures.ts';
import { traceSearchRoutes } from './trace-search.ts';
import { traceRoutes } from './traces.ts';
import { twoFactorRoutes } from './two-factor.ts';
import { usageRoutes } from './usage.ts';

/** Every call there is, by domain and name. */
export const routes = {
  auth: authRoutes,
  twoFactor: twoFactorRoutes,
  account: accountRoutes,
  orgs: orgRoutes,
  invitations: invitationRoutes,
  audit: auditRoutes,
  billing: billingRoutes,
  userBilling: userBillingRoutes,
  projects: projectRoutes,
  ingest: ingestRoutes,
  traces: { ...traceRoutes, ...traceFacetRoutes, ...traceFigureRoutes, ...traceSearchRoutes },
  deletions: deletionRoutes,
  analytics: analyticsRoutes,
  product: productRoutes,
  demo: demoRoutes,
  usage: usageRoutes,
} as const;
