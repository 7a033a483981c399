import { signal } from '@preact/signals';
import { basePath } from './api/session';
import { enableScrollRestoration, saveBeforeNavigation } from './scroll';

/** The current page and its parameters. All of it is in the URL, so that links can be shared. */
export interface Route {
  /** Path below the dashboard, without a leading slash: `runs/42`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export const ROOT = `${basePath}dashboard`;

function readRoute(): Route {
  return {
    path: location.pathname.slice(ROOT.length).replace(/^\/|\/$/g, ''),
    query: new URLSearchParams(location.search),
  };
}

export const route = signal<Route>(readRoute());
addEventListener('popstate', () => {
  route.value = readRoute();
});
enableScrollRestoration();

/** Returns the URL of a page. Null and empty values are omitted. */
export function href(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const entries = Object.entries(query).filter(
    (entry): entry is [string, string | number] => entry[1] != null && entry[1] !== '',
  );
  const search = new URLSearchParams(
    entries.map(([name, value]) => [name, String(value)]),
  ).toString();
  return ROOT + (path === '' ? '' : `/${path}`) + (search === '' ? '' : `?${search}`);
}

/** Navigates to a dashboard URL. `replace` adds no history entry. */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(history.state, '', to);
  } else {
    saveBeforeNavigation();
    history.pushState(history.state, '', to);
  }
  const before = route.value.path;
  route.value = readRoute();
  if (!replace && route.value.path !== before) scrollTo(0, 0);
}

/** Changes parameters of the current page. Null and empty values are removed. */
export function setQuery(
  changes: Readonly<Record<string, string | number | null>>,
  options?: { replace?: boolean },
): void {
  const query = new URLSearchParams(route.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  navigate(href(route.value.path, Object.fromEntries(query)), options);
}

/**
 * Links between dashboard pages do not reload the document. New tabs and downloads work as usual.
 */
document.addEventListener('click', (event) => {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = (event.target as Element | null)?.closest('a');
  if (
    !link ||
    link.origin !== location.origin ||
    link.target !== '' ||
    link.hasAttribute('download')
  )
    return;
  if (link.pathname !== ROOT && !link.pathname.startsWith(`${ROOT}/`)) return;
  // Links within the page are left to the browser, which moves the focus too.
  if (link.hash !== '' && link.pathname === location.pathname && link.search === location.search)
    return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});
