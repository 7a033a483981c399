import { escapeHtml, renderPage } from './html';

export interface EnabledTools {
  /** GraphiQL and introspection. */
  readonly hasGraphiql: boolean;
  /** The OpenAPI document and its browser. */
  readonly hasDocs: boolean;
}

interface StartPageFacts extends EnabledTools {
  readonly version: string;
  readonly baseUrl: string;
  /** The path in `baseUrl`. */
  readonly prefix: string;
}

interface PageLink {
  readonly href?: string;
  readonly path: string;
  readonly text: string;
}

function renderLink({ href, path, text }: PageLink, prefix: string): string {
  const name = `<code>${escapeHtml(path.startsWith('/') ? prefix + path : path)}</code>`;
  return `<li>${href === undefined ? name : `<a href="${prefix}${href}">${name}</a>`}<span>${escapeHtml(text)}</span></li>`;
}

function renderCard(
  title: string,
  about: string,
  links: readonly PageLink[],
  prefix: string,
): string {
  return `<section class="card"><h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p><ul>${links.map((link) => renderLink(link, prefix)).join('')}</ul></section>`;
}

function cards({ baseUrl, prefix, hasGraphiql, hasDocs }: StartPageFacts): string[] {
  const card = (title: string, about: string, links: readonly PageLink[]): string =>
    renderCard(title, about, links, prefix);
  const socketUrl = baseUrl.replace(/^http/, 'ws');
  return [
    card('GraphQL', 'One endpoint for queries, mutations and subscriptions.', [
      ...(hasGraphiql
        ? [
            {
              href: '/graphql',
              path: '/graphql',
              text: 'GraphiQL in a browser, otherwise the endpoint',
            },
            {
              href: '/schema.graphql',
              path: '/schema.graphql',
              text: 'The schema, for code generators',
            },
          ]
        : [
            {
              path: '/graphql',
              text: 'The endpoint. The editor and introspection are disabled',
            },
          ]),
      { path: `${socketUrl}/graphql`, text: 'Subscriptions, graphql-transport-ws. Also at /ws' },
    ]),
    card(
      'REST',
      'JSON under /api, for frontends and scripts.',
      hasDocs
        ? [
            { href: '/docs', path: '/docs', text: 'API browser: read and try all operations' },
            {
              href: '/openapi.json',
              path: '/openapi.json',
              text: 'API description as OpenAPI 3.1',
            },
          ]
        : [{ path: '/api', text: 'The API description is disabled' }],
    ),
    card('Dashboard', 'For operators.', [
      { href: '/dashboard', path: '/dashboard', text: 'Running, failed and scheduled runs' },
    ]),
    card('Operation', 'For load balancers, probes and frontends.', [
      { href: '/healthz', path: '/healthz', text: 'The process is running' },
      { href: '/readyz', path: '/readyz', text: 'The service accepts requests' },
      { href: '/config.json', path: '/config.json', text: 'API addresses for frontends' },
    ]),
  ];
}

/** Returns the page with links to all APIs and tools. */
export function renderStartPage(facts: StartPageFacts): string {
  const base = escapeHtml(facts.baseUrl);
  return renderPage({
    prefix: facts.prefix,
    title: 'Hypha',
    styles: ['/assets/page.css', '/assets/start.css'],
    body: `<body class="start">
<main>
  <header class="hero">
    <img src="${facts.prefix}/assets/icon.svg" alt="" width="56" height="56">
    <div><h1>Hypha <small>${escapeHtml(facts.version)}</small></h1>
    <p>Describe workflows that connect systems, run them, and watch each step as it happens.</p></div>
  </header>
  <div class="cards">${cards(facts).join('\n')}</div>
  <section class="first-steps">
    <h2>Sign in from a shell</h2>
    <pre tabindex="0"><code>curl -si ${base}/api/login \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"<var>you@example.com</var>","password":"<var>your password</var>"}' | grep -i '^authorization'

curl -s ${base}/api/user/all -H 'Authorization: Bearer <var>token</var>'</code></pre>
    <p>The first start printed the administrator’s e-mail address, and a password when none was configured.</p>
  </section>
</main>
</body>`,
  });
}
