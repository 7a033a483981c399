import { Router } from 'express';
import type { RequestHandler, Response } from 'express';
import type { Config } from '../config/config';
import { MethodNotAllowed } from '../platform/http/method-not-allowed';
import { createOriginReader } from '../platform/http/origin';
import { requestUrl } from '../platform/http/request-url';
import { fileSender } from './ready-files';
import { MADE_FILES, madeFile, OWN_FILES, ownFile, VENDOR_FILES, vendorFile } from './assets';
import { DASHBOARD_PATHS, dashboardPage } from './dashboard-page';
import { renderStartPage } from './start-page';
import { renderDocsPage, renderGraphiqlPage } from './tool-pages';

export interface PagesOptions {
  readonly config: Config;
  readonly version: string;
}

/** Every file the pages load, by the path it is served at. A closed list: no path of a request ever reaches the file system. */
function filesByPath(): ReadonlyMap<string, string> {
  return new Map([
    ...VENDOR_FILES.map((file) => [`/vendor/${file.path}`, vendorFile(file)] as const),
    ...OWN_FILES.map((name) => [`/assets/${name}`, ownFile(name)] as const),
    ...MADE_FILES.map((name) => [`/assets/${name}`, madeFile(name)] as const),
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

/** The API browser under its other addresses: below `/api` like all it describes, and where the released line had it. */
const MOVED: Readonly<Record<string, string>> = {
  '/api/docs': '/docs',
  '/swagger-ui.html': '/docs',
  '/swagger-ui/index.html': '/docs',
  '/swagger-ui': '/docs',
};

/** The start page, the live dashboard, the API browser, GraphiQL (for browsers at GET /graphql) and their files. Leaves everything else to the next handler. */
export function createPages({ config, version }: PagesOptions): RequestHandler {
  const { pathPrefix } = config.server;
  const originOf = createOriginReader(config);
  const shown = { hasGraphiql: config.graphql.introspection, hasDocs: config.docs.enabled };
  const files = filesByPath();
  const router = Router({ caseSensitive: true });

  router.route('/')
    .get((request, response) => sendPage(response, renderStartPage({ version, ...shown, prefix: pathPrefix, baseUrl: originOf(request).baseUrl })))
    .all(onlyRead);
  if (shown.hasDocs) {
    router.route('/docs').get((_request, response) => sendPage(response, renderDocsPage(pathPrefix, shown))).all(onlyRead);
    for (const [from, to] of Object.entries(MOVED)) {
      router.route(from).get((_request, response) => response.redirect(308, pathPrefix + to)).all(onlyRead);
    }
  }
  router.route(DASHBOARD_PATHS).get(dashboardPage(pathPrefix)).all(onlyRead);
  for (const [path, file] of files) {
    router.route(path).get(fileSender(file)).all(onlyRead);
  }
  // All methods: the router would answer OPTIONS for what it has here, which is not all there is.
  router.all('/graphql', (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    response.vary('Accept');
    const wanted = request.accepts(['application/json', 'application/graphql-response+json', 'text/html']);
    const isOperation = /[?&]query=/.test(requestUrl(request.originalUrl).search);
    if (!shown.hasGraphiql || isOperation || wanted !== 'text/html') return next();
    sendPage(response, renderGraphiqlPage(pathPrefix, shown));
  });
  return router;
}
