import type { ComponentChildren } from 'preact';
import type { Failure } from '../api/failure';
import type { QueryResult } from '../api/hooks';
import { loadCurrentUser } from '../current-user';
import { href, route } from '../router';
import { Icon } from './icon';
import type { IconName } from './icon';
import { FailureText } from './request-id';

/** Shown instead of content: an icon, a title, and what the user can do. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="blank">
      <Icon name={icon} size={28} />
      <p class="blank-title">{title}</p>
      {children === undefined ? null : <p>{children}</p>}
      {action}
    </div>
  );
}

const RetryButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" class="button" onClick={onClick}>
    Try again
  </button>
);

/**
 * Shown if the user lacks a permission. The retry reloads the permissions as well.
 * @param props.name plural of what may not be read: `runs`
 */
export function AccessDenied({ name, retry }: { name: string; retry?: (() => void) | undefined }) {
  const reload = (): void => {
    loadCurrentUser();
    retry?.();
  };
  return (
    <EmptyState icon="lock" title="Access denied" action={<RetryButton onClick={reload} />}>
      Your group has no permission to read {name}. Ask an administrator for access.
    </EmptyState>
  );
}

/**
 * Offers to remove the list parameters from the URL that the service rejected; a retry would fail
 * again.
 */
function ResetListLink() {
  const { path, query } = route.value;
  if (query.has('after') || query.has('before'))
    return (
      <a
        class="button"
        href={href(path, { ...Object.fromEntries(query), after: null, before: null })}
      >
        First page
      </a>
    );
  return (
    <a class="button" href={href(path)}>
      Show all
    </a>
  );
}

const isCausedByUrl = ({ kind, code }: Failure): boolean =>
  kind === 'rejected' &&
  code !== 'RATE_LIMITED' &&
  !route.value.path.includes('/') &&
  route.value.query.size > 0;

/**
 * A failed query, with a retry if one may help.
 * @param props.name plural of what was not read: `runs`
 */
export function ErrorState({
  failure,
  name,
  retry,
}: {
  failure: Failure;
  name: string;
  retry?: (() => void) | undefined;
}) {
  const button = retry && <RetryButton onClick={retry} />;
  if (failure.kind === 'forbidden') return <AccessDenied name={name} retry={retry} />;
  if (failure.kind === 'unreachable')
    return (
      <EmptyState icon="cloud" title="No connection" action={button}>
        <FailureText failure={failure} />
      </EmptyState>
    );
  return (
    <EmptyState
      icon="cross"
      title="Request failed"
      action={isCausedByUrl(failure) ? <ResetListLink /> : button}
    >
      <FailureText failure={failure} />
    </EmptyState>
  );
}

/** Grey rows in place of content that is loading. */
export function Loading({ rows = 5, name }: { rows?: number | undefined; name: string }) {
  return (
    <div class="loading" role="status" aria-label={`Loading ${name}`}>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  );
}

/**
 * The result of a query, or its loading, error or empty state. A result stays while the service is
 * unreachable.
 * @param props.name plural of what is read: `runs`
 * @param props.rows number of rows in the loading state
 * @param props.empty shown if `isEmpty` returns true
 */
export function QueryContent<Data>({
  query: { data, failure, reload },
  name,
  rows,
  isEmpty = () => false,
  empty,
  children,
}: {
  query: Pick<QueryResult<Data>, 'data' | 'failure' | 'reload'>;
  name: string;
  rows?: number;
  isEmpty?: (data: Data) => boolean;
  empty?: ComponentChildren;
  children: (data: Data) => ComponentChildren;
}) {
  if (failure !== null && (data === null || failure.kind !== 'unreachable'))
    return <ErrorState failure={failure} name={name} retry={reload} />;
  if (data === null) return <Loading name={name} rows={rows} />;
  return <>{isEmpty(data) ? empty : children(data)}</>;
}
