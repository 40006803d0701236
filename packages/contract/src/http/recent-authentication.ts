/** Minutes for which a login or an identity confirmation counts as recent. */
export const RECENT_AUTHENTICATION_MINUTES = 15;
