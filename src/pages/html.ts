const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

export interface Page {
  readonly title: string;
  /** The path prefix of the public URL, in front of every path of the page. */
  readonly prefix: string;
  /** Stylesheets below `/assets/` or `/vendor/`, in loading order. */
  readonly styles: readonly string[];
  /** Classic scripts in loading order. */
  readonly scripts?: readonly string[];
  /** The module script that starts the page. */
  readonly module?: string;
  readonly body: string;
}

/**
 * Returns an HTML document. Scripts are separate files, so that the content security policy needs
 * no exception.
 */
export function renderPage({ title, prefix, styles, scripts = [], module, body }: Page): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<link rel="icon" type="image/svg+xml" href="${prefix}/assets/icon.svg">`,
    ...styles.map((href) => `<link rel="stylesheet" href="${prefix}${href}">`),
    ...scripts.map((src) => `<script src="${prefix}${src}" defer></script>`),
    ...(module === undefined ? [] : [`<script type="module" src="${prefix}${module}"></script>`]),
    '</head>',
    body,
    '</html>',
    '',
  ].join('\n');
}

interface BarLink {
  readonly href: string;
  readonly text: string;
}

/** Returns the top bar: link to the start page, other tools, sign-in form. */
export function renderBar(name: string, prefix: string, links: readonly BarLink[]): string {
  return `<header class="bar">
  <a class="home" href="${prefix}/"><img src="${prefix}/assets/icon.svg" alt="" width="24" height="24">Hypha</a>
  <span class="tool">${escapeHtml(name)}</span>
  <nav aria-label="Other pages">${links.map(({ href, text }) => `<a href="${prefix}${href}">${escapeHtml(text)}</a>`).join('')}</nav>
  <form id="sign-in" class="sign-in" aria-label="Sign in">
    <input name="email" type="text" inputmode="email" autocomplete="username" placeholder="E-mail" aria-label="E-mail" required>
    <input name="password" type="password" autocomplete="current-password" placeholder="Password" aria-label="Password" required>
    <input name="code" type="text" inputmode="numeric" autocomplete="one-time-code" placeholder="Code" aria-label="Code" hidden>
    <button type="submit">Sign in</button>
    <a class="forgot" href="${prefix}/forgot-password">Forgot password?</a>
    <output aria-live="polite"></output>
  </form>
</header>`;
}
