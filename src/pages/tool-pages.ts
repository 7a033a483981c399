import { renderBar, renderPage } from './html';
import type { ShownDescriptions } from './start-page';

/** The browser of the REST operations. */
export function renderDocsPage(prefix: string, { hasGraphiql }: ShownDescriptions): string {
  return renderPage({
    prefix,
    title: 'Hypha REST API',
    styles: ['/vendor/swagger-ui/swagger-ui.css', '/assets/page.css', '/assets/docs.css'],
    scripts: ['/vendor/swagger-ui/swagger-ui.js'],
    module: '/assets/docs.js',
    body: `<body class="tool-page">
${renderBar('REST API', prefix, [...(hasGraphiql ? [{ href: '/graphql', text: 'GraphiQL' }] : []), { href: '/openapi.json', text: 'openapi.json' }])}
<main id="docs"><noscript>The API browser needs JavaScript. <a href="${prefix}/openapi.json">The description itself</a> does not.</noscript></main>
</body>`,
  });
}

/** GraphiQL with its own sign-in. */
export function renderGraphiqlPage(prefix: string, { hasDocs }: ShownDescriptions): string {
  return renderPage({
    prefix,
    title: 'Hypha GraphiQL',
    styles: ['/vendor/graphiql/graphiql.css', '/assets/page.css', '/assets/graphiql.css'],
    scripts: ['/vendor/react/react.js', '/vendor/react/react-dom.js', '/vendor/graphiql/graphiql.js'],
    module: '/assets/graphiql.js',
    body: `<body class="tool-page">
${renderBar('GraphiQL', prefix, hasDocs ? [{ href: '/docs', text: 'REST API' }] : [])}
<main id="graphiql"><noscript>GraphiQL needs JavaScript.</noscript></main>
</body>`,
  });
}
