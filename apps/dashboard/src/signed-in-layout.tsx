import { Outlet } from '@tanstack/react-router';
import { DemoWorkspaceNote } from './features/demo/demo-workspace-note.tsx';
import { usePalette } from './features/palette/use-palette.tsx';
import { UsageBanner } from './features/usage/usage-banner.tsx';
import { AppShell } from './shell/app-shell.tsx';
import { LoadingScreen } from './shell/loading-screen.tsx';
import { SignedInContext, useSession } from './shell/use-session.ts';

/** The frame of every page for which one must be signed in; the router's guard has let the visitor in. */
export function SignedInLayout() {
  const state = useSession();
  const palette = usePalette();
  // The session has just ended, here or in another page: the router is on its way to the login.
  if (state.status !== 'signed-in') return <LoadingScreen />;
  return (
    <SignedInContext value={state}>
      <AppShell key={state.user.id} jump={palette.button} note={<DemoWorkspaceNote />}>
        <UsageBanner />
        <Outlet />
        {palette.dialogs}
      </AppShell>
    </SignedInContext>
  );
}
