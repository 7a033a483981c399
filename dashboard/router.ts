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

/**
 * Returns true to stop leaving the page, for a question whether to leave. It calls `proceed` if the
 * user agrees.
 */
type LeaveGuard = (proceed: () => void) => boolean;

const leaveGuards = new Set<LeaveGuard>();

/** Adds a guard against leaving the page by a link or the browser history; returns its removal. */
export function guardLeaving(guard: LeaveGuard): () => void {
  leaveGuards.add(guard);
  return () => void leaveGuards.delete(guard);
}

const isStopped = (proceed: () => void): boolean =>
  [...leaveGuards].some((guard) => guard(proceed));

addEventListener('popstate', () => {
  const { path, query } = route.value;
  const next = readRoute();
  if (next.path !== path && isStopped(() => history.back())) {
    // The entry left for comes below the current page, so that `back` opens it.
    history.pushState(null, '', href(path, Object.fromEntries(query)));
    return;
  }
  route.value = next;
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

/**
 * Navigates to a dashboard URL, without a question about unsaved changes. `replace` adds no history
 * entry.
 */
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

/** Navigates to a dashboard URL as a link does: unsaved changes cause a question. */
export function follow(to: string): void {
  const isOtherPage = new URL(to, location.href).pathname !== location.pathname;
  if (isOtherPage && isStopped(() => navigate(to))) return;
  navigate(to);
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
  follow(link.pathname + link.search);
});
