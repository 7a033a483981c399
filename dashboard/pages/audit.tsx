import { useEffect, useState } from 'preact/hooks';
import { connection } from '../api/live';
import { useAsked, useFollowed, useSoon } from '../api/hooks';
import {
  AuditAction,
  AuditEventDetailsDocument,
  AuditEventsDocument,
  AuditTargetType,
  WatchAuditDocument,
} from '../generated/operations';
import type { AuditEventFilter, AuditEventsQuery } from '../generated/operations';
import { Blank, Failed, Listed, Loading } from '../parts/blank';
import { Choice, Find, wanted } from '../parts/choice';
import { jsonText, words } from '../parts/format';
import { Icon } from '../parts/icon';
import { Heading } from '../parts/page';
import { isFirstPage, pageOf } from '../parts/paged';
import { Pager } from '../parts/pager';
import { Text } from '../parts/text';
import { Time } from '../parts/times';
import { href, look, place } from '../place';

type Event = AuditEventsQuery['auditEvents']['nodes'][number];

const CHANGED_MS = 1_000;
/** Dashboard pages of changed records. */
const PAGES: Readonly<Partial<Record<AuditTargetType, string>>> = {
  RUN: 'runs',
  WORKFLOW: 'workflows',
};
const listed = (values: Readonly<Record<string, string>>) => [
  { value: '', text: 'Any' },
  ...Object.values(values).map((value) => ({ value, text: words(value) })),
];
const oneOf = <Value extends string>(
  values: Readonly<Record<string, Value>>,
  text: string | null,
): Value | null => Object.values(values).find((value) => value === text) ?? null;

function Details({ id }: { id: number }) {
  const { data, failure, again } = useAsked(AuditEventDetailsDocument, { id: String(id) });
  if (failure !== null) return <Failed failure={failure} again={again} what="the audit" />;
  if (data === null) return <Loading what="The change" rows={2} />;
  if (data.auditEvent === null) return <Blank icon="empty" title="This event has been deleted" />;
  const { before, after, requestId, clientRequestId } = data.auditEvent;
  return (
    <div class="audit-details">
      {before == null ? null : (
        <div class="diff-before">
          <h2>Before</h2>
          <Text text={jsonText(before)} label={`Before event ${id}`} />
        </div>
      )}
      {after == null ? null : (
        <div class="diff-after">
          <h2>After</h2>
          <Text text={jsonText(after)} label={`After event ${id}`} />
        </div>
      )}
      <p class="quiet">
        Request <code>{requestId}</code>
        {clientRequestId === null ? null : (
          <>
            , called <code>{clientRequestId}</code> by the client
          </>
        )}
      </p>
    </div>
  );
}

function Row({ event: { databaseId, at, action, actor, target } }: { event: Event }) {
  const [open, setOpen] = useState(false);
  const page = PAGES[target.type];
  return (
    <>
      <tr>
        <td class="nowrap only-wide">
          <Time at={at} />
        </td>
        <td class="cell-main">
          <b>{words(action)}</b>{' '}
          <span class="quiet">
            {words(target.type).toLowerCase()}{' '}
            {page === undefined ? (
              target.targetId
            ) : (
              <a href={href(`${page}/${target.targetId}`)}>{target.targetId}</a>
            )}
          </span>
          <span class="only-narrow quiet">
            <Time at={at} /> <bdi>{actor.email}</bdi>
          </span>
        </td>
        <td class="only-wide">
          <bdi>{actor.email}</bdi>
        </td>
        <td class="cell-actions">
          <button
            type="button"
            class="button quiet-button"
            aria-expanded={open}
            aria-label={`${open ? 'Less' : 'More'} about event ${databaseId}`}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'down' : 'right'} size={14} />
            <span>{open ? 'Less' : 'More'}</span>
          </button>
        </td>
      </tr>
      {open ? (
        <tr class="row-details">
          <td colSpan={4}>
            <Details id={databaseId} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

export function Audit() {
  const { query } = place.value;
  const action = oneOf(AuditAction, query.get('action'));
  const type = oneOf(AuditTargetType, query.get('type'));
  const email = wanted(query.get('by'));
  // The API accepts the actor together with the action, or the type of the target alone.
  const filter: AuditEventFilter =
    type === null
      ? {
          ...(action === null ? {} : { action: { eq: action } }),
          ...(email === '' ? {} : { actorEmail: { eq: email } }),
        }
      : { targetType: { eq: type } };
  const asked = useAsked(AuditEventsDocument, { filter, ...pageOf() });
  const again = useSoon(asked.again, CHANGED_MS);
  useFollowed(WatchAuditDocument, {}, { next: again, refused: again });
  // Loads changes that happened while the connection was lost.
  useEffect(() => {
    if (connection.value === 'open') again();
  }, [connection.value]);
  const askFor = (changes: Readonly<Record<string, string | null>>): void =>
    look({ ...changes, after: null, before: null }, { replace: true });
  return (
    <>
      <Heading title="Audit" />
      <div class="filters" role="search" aria-label="Filter changes">
        <Choice
          label="Action"
          value={action ?? ''}
          options={listed(AuditAction)}
          choose={(value) => askFor({ action: value, type: null })}
        />
        <Choice
          label="Target"
          value={type ?? ''}
          options={listed(AuditTargetType)}
          choose={(value) => askFor({ type: value, action: null, by: null })}
        />
        <Find
          label="Actor (full e-mail address)"
          value={query.get('by') ?? ''}
          find={(text) => askFor({ by: text, type: null })}
        />
      </div>
      <section class="card flush" aria-label="Changes">
        <Listed
          asked={asked}
          what="The audit"
          rows={8}
          isEmpty={({ auditEvents }) => auditEvents.nodes.length === 0}
          empty={
            <Blank icon="empty" title="No changes">
              No results match the filters.
              {email === '' ? '' : ' The e-mail is looked for as a whole, with its capitals.'}
            </Blank>
          }
        >
          {({ auditEvents }) => (
            <>
              <table class="rows" aria-label="Changes">
                <thead>
                  <tr>
                    <th scope="col" class="only-wide">
                      When
                    </th>
                    <th scope="col">Action</th>
                    <th scope="col" class="only-wide">
                      Who
                    </th>
                    <th scope="col">
                      <span class="unseen">Details</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {auditEvents.nodes.map((event) => (
                    <Row key={event.databaseId} event={event} />
                  ))}
                </tbody>
              </table>
              <Pager
                info={auditEvents.pageInfo}
                total={auditEvents.totalCount}
                what={auditEvents.totalCount === 1 ? 'change' : 'changes'}
                isFirst={isFirstPage()}
              />
            </>
          )}
        </Listed>
      </section>
    </>
  );
}
