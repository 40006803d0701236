import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createAppRouter } from './router.tsx';
import { followOtherPages, session } from './shell/api.ts';
import { LoadingScreen } from './shell/loading-screen.tsx';
import { createQueryClient } from './shell/query-client.ts';
import { ServerUnreachable } from './shell/server-unreachable.tsx';
import { colorSchemeManager, cssVariablesResolver, theme } from './shell/theme.ts';
import { useSession } from './shell/use-session.ts';

/** Messages wait in their store until what shows them is there, which the first screen does not wait for. Milliseconds. */
const NOTICES_AFTER_MS = 1_000;
const Notices = lazy(async () => ({ default: (await import('./shell/notices.tsx')).Notices }));

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

followOtherPages();
let token = session.token();
session.subscribe(() => {
  if (session.token() === token) return;
  token = session.token();
  // Nothing that one account has loaded may be seen by the next.
  queryClient.clear();
  // Later, so that whoever logs in or out says first where to go; then the pages' own guards decide.
  queueMicrotask(() => void router.invalidate());
});
void session.check();

function Screen() {
  const state = useSession();
  if (state.status === 'checking') return <LoadingScreen />;
  if (state.status === 'unchecked') return <ServerUnreachable error={state.error} />;
  return <RouterProvider router={router} />;
}

export function App() {
  const [showsNotices, setShowsNotices] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShowsNotices(true), NOTICES_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariablesResolver}
    >
      <Suspense>{showsNotices && <Notices />}</Suspense>
      <QueryClientProvider client={queryClient}>
        <Screen />
      </QueryClientProvider>
    </MantineProvider>
  );
}
