import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../../config/config';

/**
 * The security headers. Scripts come from our own files only; styles may stand inline because GraphiQL and the API browser set some.
 * Pictures and answers may be read by pages of other origins (CORS decides who reads what), so the resource policy is open. What only
 * makes sense over TLS is sent when the public address says https.
 */
export function securityHeaders(config: Pick<Config, 'server'>): RequestHandler {
  const isHttps = config.server.publicUrl?.startsWith('https:') ?? false;
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: isHttps,
    originAgentCluster: isHttps,
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
  });
}
