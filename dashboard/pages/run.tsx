import { useCallback, useMemo } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { useAsked, useFollowed } from '../api/hooks';
import { RunDocument, WatchRunsDocument } from '../generated/operations';
import type { RunQuery } from '../generated/operations';
import { Blank, Failed, Loading } from '../parts/blank';
import { clockTime, count, fullTime, jsonText, words } from '../parts/format';
import { Card, Heading } from '../parts/page';
import { RunActions } from '../parts/run-actions';
import { hasEnded, State } from '../parts/state';
import { Lasting, Time } from '../parts/times';
import { href, place } from '../place';
import { missingOf } from '../run/missing';
import { Relatives } from '../run/relatives';
import type { Note } from '../run/run-facts';
import { StepDetails } from '../run/step-details';
import { findStep, StepList, turnsAround } from '../run/step-rows';
import { treeOfFacts, treeOfShapes } from '../run/step-tree';
import { readTurns } from '../run/turns';
import { useShownRun } from '../run/use-shown-run';
import type { ShownRun, UnreadNotes } from '../run/use-shown-run';

type FoundRun = NonNullable<RunQuery['run']>;

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const linkTo = (run: { readonly databaseId: number }): ComponentChildren => (
  <a class="num" href={href(`runs/${run.databaseId}`)}>
    #{run.databaseId}
  </a>
);

function Facts({ run }: { run: FoundRun }) {
  const { workflow, workflowVersion, schedule, startedBy, retryOf, retries, errorOf, errorRun } =
    run;
  return (
    <dl class="facts facts-row">
      <Fact name="Workflow">
        {workflow ? (
          <a href={href(`workflows/${workflow.databaseId}`)}>
            <bdi>{run.workflowTitle}</bdi>
          </a>
        ) : (
          <bdi>{run.workflowTitle}</bdi>
        )}
        {workflowVersion ? <span class="quiet"> version {workflowVersion.number}</span> : null}
      </Fact>
      <Fact name="Started by">
        {schedule ? (
          <a href={href('schedules', { find: schedule.title })}>
            <bdi>{schedule.title}</bdi>
          </a>
        ) : (
          words(run.trigger)
        )}
        {startedBy ? (
          <span class="quiet">
            {' '}
            <bdi>{startedBy.email}</bdi>
          </span>
        ) : null}
      </Fact>
      <Fact name={run.startedAt ? 'Started' : 'Queued'}>
        <Time at={run.startedAt ?? run.queuedAt} />
      </Fact>
      <Fact name="Duration">
        <Lasting ms={run.durationMs} since={run.startedAt} />
      </Fact>
      {run.steps == null ? null : (
        <Fact name="Steps">
          <span class="num">{count(run.steps)}</span>
        </Fact>
      )}
      {retryOf ? (
        <Fact name="Retry of">
          {linkTo(retryOf)} <State state={retryOf.state} />
        </Fact>
      ) : null}
      {retries.nodes.length > 0 ? (
        <Fact name="Retries">
          {retries.nodes.map((each) => (
            <span key={each.databaseId}>
              {linkTo(each)} <State state={each.state} />{' '}
            </span>
          ))}
          {retries.totalCount > retries.nodes.length ? (
            <span class="quiet">and {count(retries.totalCount - retries.nodes.length)} more</span>
          ) : null}
        </Fact>
      ) : null}
      {errorOf ? (
        <Fact name="Error run for">
          <bdi>{errorOf.workflowTitle}</bdi> {linkTo(errorOf)}
        </Fact>
      ) : null}
      {errorRun ? (
        <Fact name="Error run">
          <bdi>{errorRun.workflowTitle}</bdi> {linkTo(errorRun)} <State state={errorRun.state} />
        </Fact>
      ) : null}
    </dl>
  );
}

function Notes({ notes, unread }: { notes: readonly Note[]; unread: UnreadNotes | null }) {
  if (notes.length === 0 && unread === null) return null;
  const aside =
    unread === null ? undefined : unread.progress === null ? (
      <button type="button" class="button" onClick={unread.read}>
        Load messages
      </button>
    ) : (
      <span class="quiet num" role="status">
        {unread.progress}
      </span>
    );
  return (
    <Card title="Engine messages" aside={aside}>
      {notes.length > 0 || unread === null ? null : (
        <p class="quiet">
          {unread.isRead
            ? 'None.'
            : `They are among the ${count(unread.events)} events of this run, which were not read.`}
        </p>
      )}
      {notes.length === 0 ? null : (
        <ul class="notes">
          {notes.map(({ sequence, at, level, message, index }) => (
            <li key={sequence}>
              <time class="quiet" dateTime={at} title={fullTime(at)}>
                {clockTime(at)}
              </time>{' '}
              {level === 'WARN' ? <b class="warn">Warning</b> : null}{' '}
              {index === null ? null : <span class="quiet num">step {index}</span>}{' '}
              <bdi dir="ltr">{message}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Values({ run }: { run: FoundRun }) {
  if (run.values.length === 0) return null;
  return (
    <Card title="Values">
      <dl class="facts">
        {run.values.map(({ argumentId, index, name, value }) => (
          <Fact key={`${index} ${argumentId}`} name={name}>
            <code>{jsonText(value)}</code>
          </Fact>
        ))}
      </dl>
    </Card>
  );
}

function Steps({
  run,
  shown: { facts, failure, reading, again },
}: {
  run: FoundRun;
  shown: ShownRun;
}) {
  const { query } = place.value;
  const shapes = run.workflowVersion?.steps;
  const known = facts.steps.size;
  // For a deleted version, the steps appear as events arrive.
  const nodes = useMemo(
    () => (shapes === undefined ? treeOfFacts(facts.steps.values()) : treeOfShapes(shapes)),
    [shapes, shapes === undefined ? known : 0],
  );
  const chosen = readTurns(query.get('turns'));
  const failedAt = run.error?.index ?? null;
  // A failed run opens with its failed step.
  const asked = query.get('step') ?? failedAt;
  const node = asked === null ? null : findStep(nodes, asked);
  const around = node === null ? [] : turnsAround(nodes, node.index, facts, chosen);
  const missing = (index: string, turns: readonly number[]) =>
    missingOf(facts, index, turns, { failure, reading });
  return (
    <div class={node === null ? 'run-body' : 'run-body run-body-split'}>
      <Card
        title="Steps"
        aside={
          reading === null ? undefined : (
            <span class="quiet num" role="status">
              {reading}
            </span>
          )
        }
      >
        {failure === null ? null : failure.code === 'RUN_LOG_GONE' ? (
          <p class="quiet">The results of the steps are no longer stored.</p>
        ) : (
          <Failed failure={failure} again={again} what="step results" />
        )}
        {nodes.length === 0 ? (
          <Blank icon="empty" title="No steps" />
        ) : (
          <StepList
            nodes={nodes}
            around={[]}
            shown={{ facts, chosen, selected: node?.index ?? null, failedAt, missing }}
          />
        )}
      </Card>
      {node === null ? null : (
        <StepDetails
          runId={String(run.databaseId)}
          kept={run.logging || run.test}
          node={node}
          failedAt={failedAt}
          around={around}
          happening={facts.at(node.index, around)}
          note={
            failedAt === node.index && !facts.at(node.index, around)?.error
              ? (run.error?.message ?? null)
              : null
          }
          missing={missing(node.index, around)}
        />
      )}
    </div>
  );
}

export function RunPage({ id }: { id: string }) {
  const asked = useAsked(RunDocument, { id });
  const { again, change } = asked;
  const found = asked.data?.run ?? null;
  const shown = useShownRun(id, found, readTurns(place.value.query.get('turns')), again);
  useFollowed(
    WatchRunsDocument,
    useMemo(() => ({ filter: { id: { eq: id } }, includeTest: true }), [id]),
    {
      next: useCallback(
        ({ runsChanged: { changed } }) => {
          const [now] = changed;
          if (now !== undefined)
            change((data) => ({
              run:
                data.run === null
                  ? null
                  : {
                      ...data.run,
                      ...now,
                      error:
                        now.error === null
                          ? null
                          : { stepId: null, attempt: 1, ...data.run.error, ...now.error },
                    },
            }));
          if (now === undefined || hasEnded(now.state)) again();
        },
        [again, change],
      ),
      refused: again,
    },
  );
  if (asked.data === null)
    return (
      <>
        <Heading title={`Run ${id}`} />
        {asked.failure === null ? (
          <Loading what="The run" rows={6} />
        ) : (
          <Failed failure={asked.failure} again={again} what="runs" />
        )}
      </>
    );
  if (found === null)
    return (
      <>
        <Heading title={`Run ${id}`} />
        <Blank icon="empty" title="Run not found">
          It may have been deleted after its retention period. Test runs are visible only to the
          user who started them.
        </Blank>
      </>
    );
  const { error } = found;
  return (
    <>
      <Heading title={`Run ${found.databaseId}`}>
        <State state={found.state} />
        {found.test ? <span class="tag">test</span> : null}
        {found.logging ? <span class="tag">with logging</span> : null}
        <span class="heading-actions">
          <RunActions run={found} follow />
        </span>
      </Heading>
      {error ? (
        <p class="error-box" role="alert">
          <code>{error.code}</code> <bdi dir="ltr">{error.message}</bdi>
          {error.index === null ? null : (
            <>
              {' '}
              <a href={href(`runs/${id}`, { step: error.index })}>Step {error.index}</a>
              {error.attempt > 1 ? `, attempt ${error.attempt}` : ''}
            </>
          )}
        </p>
      ) : null}
      <Facts run={found} />
      {hasEnded(found.state) ? <Relatives run={found} changed={again} /> : null}
      <Steps run={found} shown={shown} />
      <Values run={found} />
      <Notes notes={shown.notes} unread={shown.unread} />
    </>
  );
}
