import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createAppRouter } from './router.tsx';
import { followOtherPages, session } from './shell/api.ts';
import { LoadingScreen } from './shell/loading-screen.tsx';
import { createQueryClient } from './shell/query-client.ts';
import { ServerUnreachable } from './shell/server-unreachable.tsx';
import { colorSchemeManager, cssVariablesResolver, theme } from './shell/theme.ts';
import { useSession } from './shell/use-session.ts';

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
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariablesResolver}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <Screen />
      </QueryClientProvider>
    </MantineProvider>
  );
}
