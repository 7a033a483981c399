import { escapeHtml, renderPage } from './html';

export interface ShownDescriptions {
  /** GraphiQL and introspection. */
  readonly hasGraphiql: boolean;
  /** The OpenAPI document and its browser. */
  readonly hasDocs: boolean;
}

export interface StartPageFacts extends ShownDescriptions {
  readonly version: string;
  /** Base URL of the request. */
  readonly baseUrl: string;
  /** The path in `baseUrl`. */
  readonly prefix: string;
}

interface Door {
  readonly href?: string;
  readonly path: string;
  readonly text: string;
}

function renderDoor({ href, path, text }: Door, prefix: string): string {
  const name = `<code>${escapeHtml(path.startsWith('/') ? prefix + path : path)}</code>`;
  return `<li>${href === undefined ? name : `<a href="${prefix}${href}">${name}</a>`}<span>${escapeHtml(text)}</span></li>`;
}

function renderCard(title: string, about: string, doors: readonly Door[], prefix: string): string {
  return `<section class="card"><h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p><ul>${doors.map((door) => renderDoor(door, prefix)).join('')}</ul></section>`;
}

function cards({ baseUrl, prefix, hasGraphiql, hasDocs }: StartPageFacts): string[] {
  const card = (title: string, about: string, doors: readonly Door[]): string =>
    renderCard(title, about, doors, prefix);
  const socketUrl = baseUrl.replace(/^http/, 'ws');
  return [
    card('GraphQL', 'One endpoint for queries, mutations and subscriptions.', [
      hasGraphiql
        ? {
            href: '/graphql',
            path: '/graphql',
            text: 'GraphiQL in a browser, the endpoint for everything else',
          }
        : {
            path: '/graphql',
            text: 'The endpoint. Its page and introspection are switched off here',
          },
      { path: `${socketUrl}/graphql`, text: 'Subscriptions, graphql-transport-ws. Also at /ws' },
    ]),
    card(
      'REST',
      'JSON under /api, for the frontends in the field and for scripts.',
      hasDocs
        ? [
            { href: '/docs', path: '/docs', text: 'Every operation, to read and to try' },
            { href: '/openapi.json', path: '/openapi.json', text: 'The same as OpenAPI 3.1' },
          ]
        : [{ path: '/api', text: 'The description of its operations is switched off here' }],
    ),
    card('Dashboard', 'For the person who runs the house.', [
      { href: '/dashboard', path: '/dashboard', text: 'What runs, what fails, what comes next' },
    ]),
    card('Operation', 'For load balancers, probes and frontends.', [
      { href: '/healthz', path: '/healthz', text: 'The process lives' },
      { href: '/readyz', path: '/readyz', text: 'Requests can be served' },
      { href: '/config.json', path: '/config.json', text: 'Where a frontend finds the doors' },
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
