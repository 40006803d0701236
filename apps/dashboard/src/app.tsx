import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { createAppRouter } from './router.tsx';
import { followOtherPages, session } from './shell/api.ts';
import { ServerUnreachable } from './shell/error-pages/server-unreachable.tsx';
import { LoadingScreen } from './shell/frame/loading-screen.tsx';
import { createQueryClient } from './shell/query-client.ts';
import { useSession } from './shell/session/use-session.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from './shell/theme/theme.ts';

/** Messages wait in their store until what shows them is there, which the first screen does not wait for. Milliseconds. */
const NOTICES_AFTER_MS = 1_000;

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

followOtherPages();
let token = session.token();
session.subscribe(() => {
  if (session.token() === token) return;
  token = session.token();
  // Nothing that one account has loaded may be seen by the next.
  queryClient.clear();
  // The page that logs in or out navigates first; then the guards of the pages decide.
  queueMicrotask(() => void router.invalidate());
});
void session.check();

function Screen() {
  const state = useSession();
  if (state.status === 'checking') return <LoadingScreen />;
  if (state.status === 'unchecked') return <ServerUnreachable error={state.error} />;
  return <RouterProvider router={router} />;
}

/** The component that shows messages, once it is loaded. A failed load is tried again, since the server may be away for a moment. */
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
