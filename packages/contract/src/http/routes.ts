import { accessTokenRoutes } from '../accounts/access-tokens.ts';
import { accountRoutes } from '../accounts/account.ts';
import { auditRoutes } from '../accounts/audit.ts';
import { authRoutes } from '../accounts/auth.ts';
import { digestRoutes } from '../accounts/digest.ts';
import { invitationRoutes } from '../accounts/invitations.ts';
import { orgRoutes } from '../accounts/orgs.ts';
import { twoFactorRoutes } from '../accounts/two-factor.ts';
import { alertRoutes } from '../alerts/alerts.ts';
import { analyticsRoutes } from '../analytics/analytics.ts';
import { errorRoutes } from '../errors/errors.ts';
import { demoRoutes, productRoutes } from '../format/product.ts';
import { billingRoutes, userBillingRoutes } from '../plans/billing.ts';
import { usageRoutes } from '../plans/usage.ts';
import { projectRoutes } from '../projects/projects.ts';
import { traceComparisonRoutes } from '../traces/comparison.ts';
import { deletionRoutes } from '../traces/deletions.ts';
import { ingestRoutes } from '../traces/ingest.ts';
import { traceDifferenceRoutes } from '../traces/lists/trace-differences.ts';
import { traceFacetRoutes } from '../traces/lists/trace-facets.ts';
import { traceFigureRoutes } from '../traces/lists/trace-figures.ts';
import { traceGroupRoutes } from '../traces/lists/trace-groups.ts';
import { sharedTraceRoutes, shareLinkRoutes } from '../traces/share-links.ts';
import { sourceRoutes } from '../traces/sources.ts';
import { standOutRoutes } from '../traces/stands-out.ts';
import { traceSearchRoutes } from '../traces/trace-search.ts';
import { traceRoutes } from '../traces/traces.ts';
import { valueOriginRoutes } from '../traces/value-origin.ts';
import { savedViewRoutes } from '../views/saved-views.ts';

/** All API routes, by domain and name. */
export const routes = {
  auth: authRoutes,
  twoFactor: twoFactorRoutes,
  account: accountRoutes,
  accessTokens: accessTokenRoutes,
  digest: digestRoutes,
  orgs: orgRoutes,
  invitations: invitationRoutes,
  audit: auditRoutes,
  billing: billingRoutes,
  userBilling: userBillingRoutes,
  projects: projectRoutes,
  ingest: ingestRoutes,
  traces: {
    ...traceRoutes,
    ...traceComparisonRoutes,
    ...standOutRoutes,
    ...sourceRoutes,
    ...traceFacetRoutes,
    ...traceDifferenceRoutes,
    ...traceFigureRoutes,
    ...traceGroupRoutes,
    ...traceSearchRoutes,
    ...valueOriginRoutes,
  },
  alerts: alertRoutes,
  savedViews: savedViewRoutes,
  shareLinks: shareLinkRoutes,
  shared: sharedTraceRoutes,
  deletions: deletionRoutes,
  analytics: analyticsRoutes,
  errors: errorRoutes,
  product: productRoutes,
  demo: demoRoutes,
  usage: usageRoutes,
} as const;
