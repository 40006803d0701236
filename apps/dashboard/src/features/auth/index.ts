export { ConfirmIdentity } from './identity/confirm-identity.tsx';
export { findPasswordProblem } from './new-password.ts';
export { stripSlug } from './registration/registration.ts';
export { SlugState } from './registration/slug-state.tsx';
