import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { createAppRouter } from './router.tsx';
import { listenToOtherPages, session } from './shell/api.ts';
import { ServerUnreachable } from './shell/error-pages/server-unreachable.tsx';
import { LoadingScreen } from './shell/frame/loading-screen.tsx';
import { createQueryClient } from './shell/query-client.ts';
import { useSession } from './shell/session/use-session.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from './shell/theme/theme.ts';

/**
 * Delay before the component that shows notifications is loaded, in milliseconds, so that the first screen does not load more slowly. Until
 * then, notifications wait in the queue of the notifications library.
 */
const NOTICES_AFTER_MS = 1_000;

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

listenToOtherPages();
let token = session.token();
session.subscribe(() => {
  if (session.token() === token) return;
  token = session.token();
  // Clears the cache, so that the next account never sees data of the previous account.
  queryClient.clear();
  // Deferred, so that the page on which the user logs in or out can navigate before the route guards run.
  queueMicrotask(() => void router.invalidate());
});
void session.check();

function Screen() {
  const state = useSession();
  if (state.status === 'checking') return <LoadingScreen />;
  if (state.status === 'unchecked') return <ServerUnreachable error={state.error} />;
  return <RouterProvider router={router} />;
}

/**
 * Returns the component that shows notifications, or null until the component is loaded. Retries a failed load, since the server can be
 * unreachable briefly.
 */
function useNotices(): ComponentType | null {
  const [notices, setNotices] = useState<{ readonly Notices: ComponentType } | null>(null);
  useEffect(() => {
    let timer = setTimeout(load, NOTICES_AFTER_MS);
    function load() {
      import('./shell/frame/notices.tsx').then(setNotices, () => {
        timer = setTimeout(load, NOTICES_AFTER_MS);
      });
    }
    return () => clearTimeout(timer);
  }, []);
  return notices?.Notices ?? null;
}

export function App() {
  const Notices = useNotices();
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariablesResolver}
    >
      {Notices !== null && <Notices />}
      <QueryClientProvider client={queryClient}>
        <Screen />
      </QueryClientProvider>
    </MantineProvider>
  );
}
