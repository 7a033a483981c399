import { useQuery } from '../api/hooks';
import type { QueryResult } from '../api/hooks';
import {
  ErrorExchangeDocument,
  LogExchangeDocument,
  StepExchangeDocument,
} from '../generated/operations';
import type {
  RequestPartsFragment as Request,
  ResponsePartsFragment as Response,
  StepExchangeQuery,
} from '../generated/operations';
import { formatDuration } from '../parts/format';
import { QueryContent } from '../parts/states';
import { TextBlock } from '../parts/text-block';

type StepFinished = Extract<
  NonNullable<StepExchangeQuery['run']>['events']['nodes'][number],
  { request: unknown }
>;

function Headers({ header }: { header: unknown }) {
  const entries = Object.entries((header ?? {}) as Record<string, unknown>);
  if (entries.length === 0) return null;
  return (
    <details class="headers">
      <summary>{entries.length === 1 ? '1 header' : `${entries.length} headers`}</summary>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Segment({
  title,
  line,
  segment,
}: {
  title: string;
  line: string;
  segment: Request | Response;
}) {
  return (
    <section class="exchange">
      <h3>{title}</h3>
      <p>
        <code>{line}</code>
      </p>
      <Headers header={segment.header} />
      {segment.payload === '' ? (
        <p class="quiet">No body.</p>
      ) : (
        <TextBlock text={segment.payload} label={`Body of the ${title.toLowerCase()}`} />
      )}
    </section>
  );
}

interface StoredExchange {
  readonly request: Request | null;
  readonly response: Response | null;
}

/** Request and response, as far as they are stored. */
function Exchange<Data>({
  query,
  exchangeOf,
  isStored,
}: {
  query: QueryResult<Data>;
  exchangeOf: (data: Data) => StoredExchange | null | undefined;
  /** Whether this run stores requests and responses. */
  isStored: boolean;
}) {
  return (
    <QueryContent query={query} name="requests and responses" rows={3}>
      {(data) => {
        const { request, response } = exchangeOf(data) ?? {};
        if (!request && !response)
          return (
            <p class="quiet">
              {isStored
                ? 'No request was sent.'
                : 'No request is stored: without logging, only that of the step that ended the run is.'}
            </p>
          );
        return (
          <>
            {request ? (
              <Segment
                title="Request"
                line={`${request.method} ${request.url}`}
                segment={request}
              />
            ) : null}
            {response ? (
              <Segment
                title="Response"
                line={`${response.status} after ${formatDuration(response.durationMs)}`}
                segment={response}
              />
            ) : null}
          </>
        );
      }}
    </QueryContent>
  );
}

/** Loads the exchange of a step from the event that finished it. */
export function EventExchange({
  runId,
  sequence,
  isStored,
}: {
  runId: string;
  sequence: number;
  isStored: boolean;
}) {
  const query = useQuery(StepExchangeDocument, { id: runId, after: sequence - 1 });
  return (
    <Exchange
      query={query}
      exchangeOf={({ run }) =>
        run?.events.nodes.find((event): event is StepFinished => 'request' in event)
      }
      isStored={isStored}
    />
  );
}

/** Loads the exchange of a step from the log. */
export function LogExchange({ elementId }: { elementId: string }) {
  const query = useQuery(LogExchangeDocument, { elementId });
  return <Exchange query={query} exchangeOf={({ logElement }) => logElement} isStored />;
}

/** Loads the exchange that is kept with the error of a run. */
export function ErrorExchange({ runId }: { runId: string }) {
  const query = useQuery(ErrorExchangeDocument, { id: runId });
  return <Exchange query={query} exchangeOf={({ run }) => run?.errorExchange} isStored={false} />;
}
