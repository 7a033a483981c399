import { Router } from 'express';
import type { RequestHandler, Response } from 'express';
import type { Config } from '../config/config';
import { MethodNotAllowed } from '../platform/http/send';
import { createOriginReader } from '../platform/http/origin';
import { requestUrl } from '../platform/http/request-url';
import {
  builtFiles,
  OWN_FILES,
  ownFile,
  READY_CODINGS,
  SCHEMA_FILE,
  VENDOR_FILES,
  vendorFile,
} from './assets';
import { renderStartPage } from './start-page';
import { renderBar, renderPage } from './html';
import { renderForgotPasswordPage, renderSetPasswordPage } from './password-pages';
import { existsSync } from 'node:fs';
import Negotiator from 'negotiator';
import type { EnabledTools } from './start-page';

function renderDocsPage(prefix: string, { hasGraphiql }: EnabledTools): string {
  return renderPage({
    prefix,
    title: 'Hypha REST API',
    styles: ['/vendor/swagger-ui/swagger-ui.css', '/assets/page.css', '/assets/docs.css'],
    scripts: ['/vendor/swagger-ui/swagger-ui.js'],
    module: '/assets/docs.js',
    body: `<body class="tool-page">
${renderBar('REST API', prefix, [...(hasGraphiql ? [{ href: '/graphql', text: 'GraphiQL' }] : []), { href: '/openapi.json', text: 'openapi.json' }])}
<main id="docs"><noscript>The API browser needs JavaScript. <a href="${prefix}/openapi.json">The API description</a> does not.</noscript></main>
</body>`,
  });
}

function renderGraphiqlPage(prefix: string, { hasDocs }: EnabledTools): string {
  return renderPage({
    prefix,
    title: 'Hypha GraphiQL',
    styles: ['/vendor/graphiql/graphiql.css', '/assets/page.css', '/assets/graphiql.css'],
    scripts: [
      '/vendor/react/react.js',
      '/vendor/react/react-dom.js',
      '/vendor/graphiql/graphiql.js',
    ],
    module: '/assets/graphiql.js',
    body: `<body class="tool-page">
${renderBar('GraphiQL', prefix, [{ href: '/dashboard', text: 'Dashboard' }, ...(hasDocs ? [{ href: '/docs', text: 'REST API' }] : [])])}
<main id="graphiql"><noscript>GraphiQL needs JavaScript.</noscript></main>
</body>`,
  });
}

const OPTIONS = {
  dotfiles: 'allow',
  headers: { 'Cache-Control': 'public, max-age=3600' },
} as const;

/**
 * Negotiator 1 supports a preferred order of equally acceptable codings; the installed types are of
 * version 0.6.
 */
type Chooses = (
  available: readonly string[],
  options: { preferred: readonly string[] },
) => string | undefined;

/**
 * Sends a file, precompressed by the build if the client accepts it. Without a build, the response
 * is compressed like any other.
 */
export function fileSender(file: string): RequestHandler {
  const ready = new Map<string, string>(
    READY_CODINGS.map(([coding, suffix]) => [coding, `${file}${suffix}`] as const).filter(
      ([, path]) => existsSync(path),
    ),
  );
  const preferred = [...ready.keys()];
  return (request, response) => {
    if (ready.size > 0) response.vary('Accept-Encoding');
    const negotiator = new Negotiator(request);
    const coding =
      (negotiator.encoding as Chooses).call(negotiator, [...preferred, 'identity'], {
        preferred,
      }) ?? 'identity';
    const packed = request.headers['accept-encoding'] === undefined ? undefined : ready.get(coding);
    if (packed !== undefined)
      response.type(file.slice(file.lastIndexOf('.'))).set('Content-Encoding', coding);
    response.sendFile(packed ?? file, OPTIONS);
  };
}

/**
 * Stricter than for the other tools: no inline styles, only listed sources, and no text becomes
 * markup (`trusted-types`), whatever titles or remote responses contain.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The QR code of a second factor is a data URL.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join(';');

/** Paths of the dashboard. All its pages are one document; the script reads the URL. */
const DASHBOARD_PATHS = ['/dashboard', '/dashboard/*page'];

function renderDashboardPage(prefix: string): string {
  return renderPage({
    prefix,
    title: 'Hypha',
    styles: ['/assets/page.css', '/assets/dashboard.css'],
    module: '/assets/dashboard.js',
    body: '<body>\n<div id="dashboard"><noscript>The dashboard needs JavaScript.</noscript></div>\n</body>',
  });
}

/** Serves a page with a strict content security policy. */
const strictPage =
  (html: string, headers: Readonly<Record<string, string>>): RequestHandler =>
  (_request, response) => {
    response
      .set({ ...headers, 'Content-Security-Policy': CONTENT_SECURITY_POLICY })
      .type('html')
      .send(html);
  };

/** The dashboard. It contains no data: its script queries the GraphQL API as the signed-in user. */
const dashboardPage = (prefix: string): RequestHandler =>
  strictPage(renderDashboardPage(prefix), {
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'same-origin',
  });

/** Neither the pages nor what they link to may pass the token of a link on. */
const passwordPage = (html: string): RequestHandler =>
  strictPage(html, { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });

interface PagesOptions {
  readonly config: Config;
  readonly version: string;
}

/**
 * All files of the pages by URL path. A fixed list, so that no request path reaches the file
 * system.
 */
function filesByPath(): ReadonlyMap<string, string> {
  return new Map([
    ...VENDOR_FILES.map((file) => [`/vendor/${file.path}`, vendorFile(file)] as const),
    ...OWN_FILES.map((name) => [`/assets/${name}`, ownFile(name)] as const),
    ...[...builtFiles()].map(([name, file]) => [`/assets/${name}`, file] as const),
  ]);
}

const sendPage = (response: Response, html: string): void => {
  response.set('Cache-Control', 'no-cache').type('html').send(html);
};

const METHODS = ['GET', 'HEAD', 'OPTIONS'];

const onlyRead: RequestHandler = (request, response) => {
  if (request.method !== 'OPTIONS') throw new MethodNotAllowed(METHODS);
  response.set('Allow', METHODS.join(', ')).status(204).end();
};

/** Redirects to the API browser: from below `/api` and from the path of the released line. */
const MOVED: Readonly<Record<string, string>> = {
  '/api/docs': '/docs',
  '/swagger-ui.html': '/docs',
  '/swagger-ui/index.html': '/docs',
  '/swagger-ui': '/docs',
};

/**
 * Serves the start page, the dashboard, the pages for forgotten passwords, the API browser, GraphiQL (for
 * browsers at GET /graphql) and their files. Passes other requests to the next handler.
 */
export function createPages({ config, version }: PagesOptions): RequestHandler {
  const { pathPrefix } = config.server;
  const originOf = createOriginReader(config);
  const tools = { hasGraphiql: config.graphql.introspection, hasDocs: config.docs.enabled };
  const files = filesByPath();
  const sendsLinks = config.mail !== null && config.server.publicUrl !== null;
  const router = Router({ caseSensitive: true });

  router
    .route('/')
    .get((request, response) =>
      sendPage(
        response,
        renderStartPage({
          version,
          ...tools,
          prefix: pathPrefix,
          baseUrl: originOf(request).baseUrl,
        }),
      ),
    )
    .all(onlyRead);
  if (tools.hasDocs) {
    router
      .route('/docs')
      .get((_request, response) => sendPage(response, renderDocsPage(pathPrefix, tools)))
      .all(onlyRead);
    for (const [from, to] of Object.entries(MOVED)) {
      router
        .route(from)
        .get((_request, response) => response.redirect(308, pathPrefix + to))
        .all(onlyRead);
    }
  }
  if (tools.hasGraphiql)
    router
      .route('/schema.graphql')
      .get((_request, response) => {
        response.set('Cache-Control', 'no-cache').type('text').sendFile(SCHEMA_FILE);
      })
      .all(onlyRead);
  for (const [path, html] of [
    ['/set-password', renderSetPasswordPage(pathPrefix)],
    ['/forgot-password', renderForgotPasswordPage(pathPrefix, sendsLinks)],
  ])
    router.route(path).get(passwordPage(html)).all(onlyRead);
  router.route(DASHBOARD_PATHS).get(dashboardPage(pathPrefix)).all(onlyRead);
  for (const [path, file] of files) {
    router.route(path).get(fileSender(file)).all(onlyRead);
  }
  // All methods, because the router would answer OPTIONS with its own methods only.
  router.all('/graphql', (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    response.vary('Accept');
    const mediaType = request.accepts([
      'application/json',
      'application/graphql-response+json',
      'text/html',
    ]);
    const isOperation = /[?&]query=/.test(requestUrl(request.originalUrl).search);
    if (!tools.hasGraphiql || isOperation || mediaType !== 'text/html') return next();
    sendPage(response, renderGraphiqlPage(pathPrefix, tools));
  });
  return router;
}
