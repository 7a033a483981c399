import type { ComponentChildren } from 'preact';
import { useAsked } from '../api/hooks';
import type { Asked } from '../api/hooks';
import { LogExchangeDocument, StepExchangeDocument } from '../generated/operations';
import type { StepExchangeQuery } from '../generated/operations';
import { Failed, Loading } from '../parts/blank';
import { duration, fullTime } from '../parts/format';
import { Icon } from '../parts/icon';
import { State } from '../parts/state';
import { Text } from '../parts/text';
import { look } from '../place';
import { SENTENCES } from './missing';
import type { Missing } from './missing';
import type { Happening } from './run-facts';
import { closedStep, rowOf } from './step-tree';
import type { StepNode } from './step-tree';

type StepFinished = Extract<
  NonNullable<StepExchangeQuery['run']>['events'][number],
  { request: unknown }
>;
type Request = NonNullable<StepFinished['request']>;
type Response = NonNullable<StepFinished['response']>;

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

function Exchanged({
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
        <Text text={segment.payload} label={`Body of the ${title.toLowerCase()}`} />
      )}
    </section>
  );
}

/** Request and response, as far as they are kept. `kept`: the log of this run is kept. */
function Exchange({
  asked,
  found,
  kept,
}: {
  asked: Pick<Asked<unknown>, 'data' | 'failure' | 'again'>;
  found:
    { readonly request: Request | null; readonly response: Response | null } | null | undefined;
  kept: boolean;
}) {
  if (asked.failure !== null)
    return <Failed failure={asked.failure} again={asked.again} what="requests and responses" />;
  if (asked.data === null) return <Loading rows={3} what="The request and response" />;
  const { request, response } = found ?? {};
  if (!request && !response)
    return (
      <p class="quiet">
        {kept
          ? 'No request was sent.'
          : 'Requests and responses are stored only for test runs and runs with logging.'}
      </p>
    );
  return (
    <>
      {request ? (
        <Exchanged title="Request" line={`${request.method} ${request.url}`} segment={request} />
      ) : null}
      {response ? (
        <Exchanged
          title="Response"
          line={`${response.status} after ${duration(response.durationMs)}`}
          segment={response}
        />
      ) : null}
    </>
  );
}

/** Loads the exchange from the events when it is opened. */
function ExchangeOfEvent({
  runId,
  endedBy,
  kept,
}: {
  runId: string;
  endedBy: number;
  kept: boolean;
}) {
  const asked = useAsked(StepExchangeDocument, { id: runId, after: endedBy - 1 });
  return (
    <Exchange
      asked={asked}
      found={asked.data?.run?.events.find((each): each is StepFinished => 'request' in each)}
      kept={kept}
    />
  );
}

/** Loads the exchange from the log when it is opened. */
function ExchangeOfElement({ elementId }: { elementId: string }) {
  const asked = useAsked(LogExchangeDocument, { elementId });
  return <Exchange asked={asked} found={asked.data?.logElement} kept />;
}

/** The selected step, next to the list, or over it on small screens. */
export function StepCard({
  node: { title, index },
  failedAt = null,
  state,
  children,
}: {
  node: StepNode;
  failedAt?: string | null;
  state: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card details" aria-label="The chosen step">
      <div class="card-head">
        <h2>
          <bdi>{title}</bdi>
        </h2>
        {state}
        <button
          type="button"
          class="bare"
          aria-label="Close the step"
          data-next={`#${rowOf(index)}`}
          onClick={() => look({ step: closedStep(failedAt) }, { replace: true })}
        >
          <Icon name="cross" size={14} />
        </button>
      </div>
      {children}
    </section>
  );
}

export const aboutOf = ({ about, kind }: StepNode): ComponentChildren =>
  about === null ? null : (
    <div>
      <dt>{{ method: 'Calls', if: 'Condition', loop: 'List' }[kind]}</dt>
      <dd>
        <code>{about}</code>
      </dd>
    </div>
  );

/** Formats the iterations of the enclosing loops, innermost first. */
const turnsText = (around: readonly number[]): string =>
  around
    .map((turn) => `iteration ${turn + 1}`)
    .reverse()
    .join(' in ');

export function StepDetails({
  runId,
  node,
  failedAt,
  around,
  happening,
  note,
  missing,
  kept,
}: {
  runId: string;
  node: StepNode;
  failedAt: string | null;
  around: readonly number[];
  happening: Happening | undefined;
  note: string | null;
  missing: Missing;
  kept: boolean;
}) {
  return (
    <StepCard
      node={node}
      failedAt={failedAt}
      state={
        happening === undefined || (node.kind === 'if' && happening.error === null) ? null : (
          <State state={happening.state} />
        )
      }
    >
      <dl class="facts">
        <div>
          <dt>Step</dt>
          <dd class="num">
            {node.index}
            {around.length === 0 ? '' : `, ${turnsText(around)}`}
          </dd>
        </div>
        {aboutOf(node)}
        {happening === undefined ? null : (
          <div>
            <dt>Started</dt>
            <dd class="num">{fullTime(happening.startedAt)}</dd>
          </div>
        )}
        {happening?.durationMs == null ? null : (
          <div>
            <dt>Duration</dt>
            <dd class="num">{duration(happening.durationMs)}</dd>
          </div>
        )}
        {happening?.result == null ? null : (
          <div>
            <dt>Result</dt>
            <dd>{String(happening.result)}</dd>
          </div>
        )}
        {happening?.size == null ? null : (
          <div>
            <dt>Iterations</dt>
            <dd class="num">
              {happening.begun} of {happening.size}
            </dd>
          </div>
        )}
        {happening !== undefined && happening.tries > 1 ? (
          <div>
            <dt>Attempts</dt>
            <dd class="num">{happening.tries}</dd>
          </div>
        ) : null}
      </dl>
      {happening?.error ? (
        <p class="error-box">
          <code>{happening.error.code}</code> <bdi dir="ltr">{happening.error.message}</bdi>
        </p>
      ) : null}
      {note === null ? null : <p class="error-box">{note}</p>}
      {happening !== undefined ? null : missing === 'reading' ? (
        <Loading rows={3} what="What the step did" />
      ) : (
        <p class="quiet">
          {missing === 'not-run' && around.length === 0
            ? 'This step has not run.'
            : SENTENCES[missing]}
        </p>
      )}
      {node.kind === 'method' && happening?.endedBy != null ? (
        <ExchangeOfEvent
          key={happening.endedBy}
          runId={runId}
          endedBy={happening.endedBy}
          kept={kept}
        />
      ) : null}
      {happening?.elementId == null ? null : (
        <ExchangeOfElement key={happening.elementId} elementId={happening.elementId} />
      )}
    </StepCard>
  );
}
