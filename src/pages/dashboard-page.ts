import type { RequestHandler } from 'express';
import { renderPage } from './html';

/**
 * Stricter than for the tools: no style stands inline, nothing is loaded but what is named, and no text ever becomes markup
 * (`trusted-types`), whatever a title or an answer of a remote system has in it.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
  "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
].join(';');

/** Where the live dashboard is. Below it lie its pages, which are one document: the script reads the address. */
export const DASHBOARD_PATHS = ['/dashboard', '/dashboard/*page'];

function renderDashboardPage(prefix: string): string {
  return renderPage({
    prefix,
    title: 'Hypha',
    styles: ['/assets/page.css', '/assets/dashboard.css'],
    module: '/assets/dashboard.js',
    body: '<body>\n<div id="dashboard"><noscript>The dashboard needs JavaScript.</noscript></div>\n</body>',
  });
}

/** The live dashboard. It holds no data: its script asks the GraphQL API as who signs in. */
export function dashboardPage(prefix: string): RequestHandler {
  const html = renderDashboardPage(prefix);
  return (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Referrer-Policy': 'same-origin' }).type('html').send(html);
  };
}
