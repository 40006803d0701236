import { useNavigate } from '@tanstack/react-router';
import { routes } from '@throughline/contract';
import { api, session } from '../api.ts';

/** Returns a function that ends the session on this page, on the browser's other pages and on the server, and opens the login page. */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return () => {
    // The request is sent before the token is deleted, because it needs the token. If the server cannot be reached, the token stays valid
    // on the server until it expires.
    api.call(routes.auth.logout, {}).catch(() => undefined);
    session.logout();
    void navigate({ to: '/login' });
  };
}
