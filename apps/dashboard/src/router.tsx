import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { PublicParams } from './features/public/index.ts';
import { session } from './shell/api.ts';
import { NotFound } from './shell/error-pages/not-found.tsx';
import { UnexpectedError } from './shell/error-pages/unexpected-error.tsx';
import { LoadingScreen } from './shell/frame/loading-screen.tsx';
import { loadPage } from './shell/load-page.ts';
import { isOpenToPublicViewers } from './shell/session/public-paths.ts';
import { HOME, readReturnPath } from './shell/session/return-path.ts';
import { ViewParams } from './shell/url-state/search-params.ts';
import { parseSearch, stringifySearch } from './shell/url-state/search-text.ts';
import { SIGNED_OUT_PARAMS } from './shell/url-state/signed-out-params.ts';
import { SignedInLayout } from './signed-in-layout.tsx';

interface RouterContext {
  readonly queryClient: QueryClient;
}

const isSignedIn = () => session.state.status === 'signed-in';

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => loadPage(() => import('./features/landing/page.tsx')), 'LandingPage'),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: SIGNED_OUT_PARAMS['/login'],
  beforeLoad: ({ search }) => {
    if (isSignedIn()) throw redirect({ href: readReturnPath(search.from) ?? '/dashboard', replace: true });
  },
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/auth/pages/login-page.tsx')),
    'LoginPage',
  ),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: SIGNED_OUT_PARAMS['/register'],
  beforeLoad: () => {
    if (isSignedIn()) throw redirect({ to: HOME, replace: true });
  },
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/auth/pages/register-page.tsx')),
    'RegisterPage',
  ),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  validateSearch: SIGNED_OUT_PARAMS['/invite/$token'],
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/auth/pages/invite-page.tsx')),
    'InvitePage',
  ),
});

const inviteWithoutToken = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/auth/pages/invite-page.tsx')),
    'InviteWithoutTokenPage',
  ),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/auth/pages/forgot-password-page.tsx')),
    'ForgotPasswordPage',
  ),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: SIGNED_OUT_PARAMS['/reset-password'],
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/auth/pages/reset-password-page.tsx')),
    'ResetPasswordPage',
  ),
});

const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  validateSearch: SIGNED_OUT_PARAMS['/verify-email'],
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/auth/pages/verify-email-page.tsx')),
    'VerifyEmailPage',
  ),
});

const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe/$token',
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/auth/pages/unsubscribe-page.tsx')),
    'UnsubscribePage',
  ),
});

const publicProjects = createRoute({
  getParentRoute: () => root,
  path: '/public',
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/public/projects-page.tsx')),
    'PublicProjectsPage',
  ),
});

const publicProject = createRoute({
  getParentRoute: () => root,
  path: '/public/$id',
  validateSearch: PublicParams,
  component: lazyRouteComponent(
    () => loadPage(() => import('./features/public/project-page.tsx')),
    'PublicProjectPage',
  ),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  validateSearch: ViewParams,
  beforeLoad: async ({ location, context }) => {
    if (isSignedIn() || (await isOpenToPublicViewers(context.queryClient, location.pathname))) return;
    throw redirect({ to: '/login', search: { from: location.href }, replace: true });
  },
  component: SignedInLayout,
});

const dashboardPage = lazyRouteComponent(
  () => loadPage(() => import('./features/dashboard/page.tsx')),
  'DashboardPage',
);

const signedInPages = [
  createRoute({ getParentRoute: () => signedIn, path: '/app', component: dashboardPage }),
  createRoute({ getParentRoute: () => signedIn, path: '/dashboard', component: dashboardPage }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/traces/$id',
    component: lazyRouteComponent(
      () => loadPage(() => import('./features/traces/page/page.tsx')),
      'TracePage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/shared/$token',
    component: lazyRouteComponent(
      () => loadPage(() => import('./features/trace-by-link/page.tsx')),
      'SharedTracePage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/projects',
    component: lazyRouteComponent(
      () => loadPage(() => import('./features/projects/page.tsx')),
      'ProjectsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/analytics',
    component: lazyRouteComponent(
      () => loadPage(() => import('./features/analytics/page.tsx')),
      'AnalyticsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/errors',
    component: lazyRouteComponent(() => loadPage(() => import('./features/errors/page.tsx')), 'ErrorsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/projects/$id/settings',
    component: lazyRouteComponent(
      () => loadPage(() => import('./features/project-settings/page.tsx')),
      'ProjectSettingsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/raw-traces',
    component: lazyRouteComponent(
      () => loadPage(() => import('./features/raw-traces/page.tsx')),
      'RawTracesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/users',
    component: lazyRouteComponent(() => loadPage(() => import('./features/users/page.tsx')), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/billing',
    component: lazyRouteComponent(() => loadPage(() => import('./features/billing/page.tsx')), 'BillingPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/settings',
    component: lazyRouteComponent(
      () => loadPage(() => import('./features/settings/page.tsx')),
      'SettingsPage',
    ),
  }),
] as const;

/** Creates the router with all pages. */
export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      index,
      login,
      register,
      invite,
      inviteWithoutToken,
      forgotPassword,
      resetPassword,
      verifyEmail,
      unsubscribe,
      publicProjects,
      publicProject,
      signedIn.addChildren([...signedInPages]),
    ]),
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: LoadingScreen,
    defaultPendingMs: 300,
    defaultErrorComponent: UnexpectedError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
