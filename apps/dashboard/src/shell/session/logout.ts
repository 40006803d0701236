import { useNavigate } from '@tanstack/react-router';
import { routes } from '@throughline/contract';
import { api, session } from '../api.ts';

/** Ends the session here, in the browser's other pages and on the server, and goes to the login. */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return () => {
    // Sent with the token that is about to go. Where the server cannot be reached the token ends there by age.
    api.call(routes.auth.logout, {}).catch(() => undefined);
    session.logout();
    void navigate({ to: '/login' });
  };
}
