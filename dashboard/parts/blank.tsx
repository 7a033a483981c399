import type { ComponentChildren } from 'preact';
import type { Failure } from '../api/failure';
import { lookWhoIAm } from '../me';
import { href, place } from '../place';
import { Icon } from './icon';
import type { IconName } from './icon';

export function Blank({
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

/** Shown if the user lacks a right. The retry reloads the rights as well. */
export function NotForYou({ what, again }: { what: string; again?: (() => void) | undefined }) {
  const retry = (): void => {
    lookWhoIAm();
    again?.();
  };
  return (
    <Blank
      icon="lock"
      title="Access denied"
      action={
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      }
    >
      Your group has no permission to read {what}. Ask an administrator for access.
    </Blank>
  );
}

/**
 * Offers to remove the list parameters from the URL that the service rejected; a retry would fail
 * again.
 */
function LeaveOut() {
  const { path, query } = place.value;
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

const isOfAddress = ({ kind, code }: Failure): boolean =>
  kind === 'refused' &&
  code !== 'RATE_LIMITED' &&
  !place.value.path.includes('/') &&
  place.value.query.size > 0;

export function Failed({
  failure,
  again,
  what,
}: {
  failure: Failure;
  again?: () => void;
  what: string;
}) {
  const retry = again && (
    <button type="button" class="button" onClick={again}>
      Try again
    </button>
  );
  if (failure.kind === 'no-right') return <NotForYou what={what} again={again} />;
  if (failure.kind === 'unreachable')
    return (
      <Blank icon="cloud" title="No connection" action={retry}>
        {failure.message}
      </Blank>
    );
  return (
    <Blank icon="cross" title="Request failed" action={isOfAddress(failure) ? <LeaveOut /> : retry}>
      {failure.message}
      {failure.requestId === null ? null : (
        <small class="request-id">Request {failure.requestId}</small>
      )}
    </Blank>
  );
}

export function Loading({ rows = 5, what }: { rows?: number; what: string }) {
  return (
    <div class="loading" role="status" aria-label={`${what} are loading`}>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  );
}

/** A list with its loading, error and empty states. */
export function Listed<Data>({
  asked,
  what,
  rows,
  isEmpty,
  empty,
  children,
}: {
  asked: {
    readonly data: Data | null;
    readonly failure: Failure | null;
    readonly again: () => void;
  };
  what: string;
  rows?: number;
  isEmpty: (data: Data) => boolean;
  empty: ComponentChildren;
  children: (data: Data) => ComponentChildren;
}) {
  const { data, failure, again } = asked;
  if (failure !== null && (data === null || failure.kind !== 'unreachable'))
    return (
      <Failed failure={failure} again={again} what={what.charAt(0).toLowerCase() + what.slice(1)} />
    );
  if (data === null) return <Loading what={what} {...(rows === undefined ? {} : { rows })} />;
  return <>{isEmpty(data) ? empty : children(data)}</>;
}
