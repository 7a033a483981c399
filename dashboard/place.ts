import { signal } from '@preact/signals';
import { basePath } from './api/session';
import { keepHeights, leaveThisHeight } from './scroll';

/** Where the reader is: the page and what of it he looks at. All of it stands in the address, so that links can be shared. */
export interface Place {
  /** Below the dashboard, without the slash before it: `runs/42`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export const ROOT = `${basePath}dashboard`;

function read(): Place {
  return {
    path: location.pathname.slice(ROOT.length).replace(/^\/|\/$/g, ''),
    query: new URLSearchParams(location.search),
  };
}

export const place = signal<Place>(read());
addEventListener('popstate', () => {
  place.value = read();
});
keepHeights();

/** The address of a page. Values that are null or empty are left out. */
export function href(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string | number] => entry[1] != null && entry[1] !== '',
  );
  const search = new URLSearchParams(
    given.map(([name, value]) => [name, String(value)]),
  ).toString();
  return ROOT + (path === '' ? '' : `/${path}`) + (search === '' ? '' : `?${search}`);
}

/** Goes to an address of the dashboard. `replace` for what is no step that the reader would go back over. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(history.state, '', to);
  } else {
    leaveThisHeight();
    history.pushState(history.state, '', to);
  }
  const before = place.value.path;
  place.value = read();
  if (!replace && place.value.path !== before) scrollTo(0, 0);
}

/** Changes what of this page is looked at. */
export function look(
  changes: Readonly<Record<string, string | number | null>>,
  options?: { replace?: boolean },
): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  go(href(place.value.path, Object.fromEntries(query)), options);
}

/** Links between the pages do not load the document anew; those that open a tab or a file do what they always do. */
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
  // Within this page the browser knows the way, and takes the focus along.
  if (link.hash !== '' && link.pathname === location.pathname && link.search === location.search)
    return;
  event.preventDefault();
  go(link.pathname + link.search);
});
