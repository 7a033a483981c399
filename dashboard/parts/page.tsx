import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { QueryResult } from '../api/hooks';
import { pageTitle } from '../failure-badge';
import { EmptyState, ErrorState, Loading } from './states';

/** The page heading. `title` is also the title of the browser tab. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  useEffect(() => {
    pageTitle.value = title;
  }, [title]);
  return (
    <div class="heading">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {children}
    </div>
  );
}

/** A section of a page. `aside` is shown next to its title. */
export function Card({
  title,
  aside,
  children,
  kind = '',
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  kind?: string;
}) {
  return (
    <section class={`card ${kind}`}>
      <div class="card-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A name and a value in a `<dl class="facts">`. */
export function Fact({
  name,
  isNumber = false,
  children,
}: {
  name: string;
  isNumber?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isNumber ? 'num' : undefined}>{children}</dd>
    </div>
  );
}

/** The code and message of an error. */
export function ErrorText({
  error: { code, message },
}: {
  error: { code: string; message: string };
}) {
  return (
    <>
      <code>{code}</code> <bdi dir="ltr">{message}</bdi>
    </>
  );
}

/**
 * A page of one record, or its loading, error or not-found state.
 * @param props.title heading until the record is loaded: `Run 42`
 * @param props.name the kind of record: `run`
 */
export function RecordPage<Data, Item>({
  title,
  name,
  query,
  recordOf,
  notFoundText,
  children,
}: {
  title: string;
  name: string;
  query: QueryResult<Data>;
  recordOf: (data: Data) => Item | null;
  notFoundText: string;
  children: (record: Item) => ComponentChildren;
}) {
  const { data, failure, reload } = query;
  const record = data === null ? null : recordOf(data);
  if (record !== null) return <>{children(record)}</>;
  return (
    <>
      <Heading title={title} />
      {failure !== null && data === null ? (
        <ErrorState failure={failure} name={`${name}s`} retry={reload} />
      ) : data === null ? (
        <Loading name={name} rows={6} />
      ) : (
        <EmptyState
          icon="empty"
          title={`${name.charAt(0).toUpperCase()}${name.slice(1)} not found`}
        >
          {notFoundText}
        </EmptyState>
      )}
    </>
  );
}
