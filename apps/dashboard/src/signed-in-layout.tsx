import { Outlet, useLocation } from '@tanstack/react-router';
import { ConfirmIdentity } from './features/auth/index.ts';
import { DemoWorkspaceNote } from './features/demo/index.ts';
import { usePalette } from './features/palette/index.ts';
import { PublicFrame } from './features/public/index.ts';
import { PinnedViews } from './features/saved-views/index.ts';
import { UsageBanner } from './features/usage/index.ts';
import { AppShell } from './shell/frame/app-shell.tsx';
import { LoadingScreen } from './shell/frame/loading-screen.tsx';
import { isPublicPath, isSharedPath } from './shell/session/public-paths.ts';
import { SignedInContext, useSession } from './shell/session/use-session.ts';

/** Frame of the pages for signed-in users, and of the trace pages that public viewers can open. */
export function SignedInLayout() {
  const state = useSession();
  const palette = usePalette();
  const path = useLocation({ select: (location) => location.pathname });
  if (isSharedPath(path)) return <Outlet />;
  if (state.status !== 'signed-in') {
    // Either the session has just ended and the router is about to open the login, or the page also allows public viewers.
    return isPublicPath(path) ? (
      <PublicFrame>
        <Outlet />
      </PublicFrame>
    ) : (
      <LoadingScreen />
    );
  }
  return (
    <SignedInContext value={state}>
      <AppShell key={state.user.id} jump={palette.button} note={<DemoWorkspaceNote />} views={PinnedViews}>
        <UsageBanner />
        <Outlet />
        {palette.dialogs}
        <ConfirmIdentity />
      </AppShell>
    </SignedInContext>
  );
}
