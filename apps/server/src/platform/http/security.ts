import type { FastifyHelmetOptions } from '@fastify/helmet';

/**
 * The headers of every answer. Scripts, fonts and calls come from this server alone. Styles may stand in the page: the UI library
 * puts its theme into style tags and style attributes, which no hash can foresee; captured values are never markup, so nothing
 * of a sender's can become one.
 */
export function securityHeaders(https: boolean): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Promised only where the public address says that there is TLS.
    strictTransportSecurity: https ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  };
}
