import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button';
import { counted, duration, jsonText } from '../parts/format';
import { Icon } from '../parts/icon';
import type { IconName } from '../parts/icon';
import { State } from '../parts/state';
import { Lasting } from '../parts/times';
import { look } from '../place';
import { MARKS } from './missing';
import type { Missing } from './missing';
import type { Happening, RunFacts } from './run-facts';
import { closedStep, rowOf } from './step-tree';
import type { StepNode } from './step-tree';
import { shownTurn, withTurn } from './turns';
import type { ChosenTurns } from './turns';

/** With more iterations, one is selected by its number. */
const FEW_TURNS = 10;

const ICONS: Readonly<Record<StepNode['kind'], IconName>> = {
  method: 'call',
  if: 'branch',
  loop: 'loop',
};

export interface Shown {
  readonly facts: RunFacts;
  readonly chosen: ChosenTurns;
  readonly selected: string | null;
  /** Index of the step that ended the run. */
  readonly failedAt: string | null;
  /** Why a step has no data in these iterations. Default: it has not run. */
  readonly missing?: (index: string, turns: readonly number[]) => Missing;
  /** Shows only the steps, without a run. */
  readonly plain?: boolean;
}

/** Selects an iteration by its number, counted from 1. */
function TurnGo({
  title,
  begun,
  show,
}: {
  title: string;
  begun: number;
  show: (turn: number) => void;
}) {
  const hear = (field: HTMLInputElement): void => {
    const asked = Math.trunc(Number(field.value));
    field.value = '';
    if (asked >= 1) show(Math.min(asked, begun) - 1);
  };
  return (
    <input
      class="turn-go"
      type="number"
      min={1}
      max={begun}
      placeholder="Go to"
      aria-label={`Go to an iteration of ${title}`}
      onChange={({ currentTarget }) => hear(currentTarget)}
    />
  );
}

function LoopTurns({
  node,
  happening,
  turn,
  value,
  chosen,
}: {
  node: StepNode;
  happening: Happening;
  turn: number | null;
  value: unknown;
  chosen: ChosenTurns;
}) {
  const { size, begun } = happening;
  if (turn === null)
    return (
      <span class="turns quiet">
        {size === 0
          ? 'empty list'
          : `${counted(size ?? begun, 'iteration', 'iterations')} without requests`}
      </span>
    );
  const show = (to: number | null): void =>
    look({ turns: withTurn(chosen, node.index, to) || null }, { replace: true });
  const isNewest = !chosen.has(node.index);
  const iterator = node.shape?.__typename === 'OperatorStep' ? node.shape.iterator : null;
  const text = value == null ? null : `${iterator ?? 'value'} = ${jsonText(value)}`;
  return (
    <span class="turns" role="group" aria-label={`Iteration of ${node.title}`}>
      <Button
        class="bare"
        aria-label="Previous iteration"
        off={turn === 0}
        onClick={() => show(turn - 1)}
      >
        <Icon name="left" size={14} />
      </Button>
      <span class="num">
        iteration {turn + 1} of {size ?? begun}
      </span>
      <Button
        class="bare"
        aria-label="Next iteration"
        off={turn >= begun - 1}
        onClick={() => show(turn + 1)}
      >
        <Icon name="right" size={14} />
      </Button>
      {begun > FEW_TURNS ? <TurnGo title={node.title} begun={begun} show={show} /> : null}
      {isNewest ? null : (
        <button type="button" class="button quiet-button small" onClick={() => show(null)}>
          Newest
        </button>
      )}
      {text === null ? null : (
        <span class="quiet num turn-value" title={text}>
          <bdi dir="ltr">{text}</bdi>
        </span>
      )}
    </span>
  );
}

function Outcome({
  node,
  happening,
  failed,
  missing,
}: {
  node: StepNode;
  happening: Happening | undefined;
  failed: boolean;
  missing: Missing;
}) {
  if (happening === undefined)
    return failed ? <State state="FAILED" /> : <span class="quiet">{MARKS[missing]}</span>;
  if (node.kind === 'if' && happening.error === null)
    return (
      <span class={`verdict verdict-${String(happening.result)}`}>
        {happening.result ? 'true' : 'false'}
      </span>
    );
  return (
    <>
      {happening.tries > 1 ? <span class="tag">{happening.tries} attempts</span> : null}
      {happening.statusCode === null ? null : <span class="quiet num">{happening.statusCode}</span>}
      <State state={failed ? 'FAILED' : happening.state} />
      <span class="outcome-time">
        {happening.durationMs === null ? (
          <Lasting ms={null} since={happening.state === 'RUNNING' ? happening.startedAt : null} />
        ) : (
          <span class="num">{duration(happening.durationMs)}</span>
        )}
      </span>
    </>
  );
}

function StepRow({
  node,
  around,
  shown,
}: {
  node: StepNode;
  around: readonly number[];
  shown: Shown;
}) {
  const { facts, chosen, selected, failedAt } = shown;
  const happening = facts.at(node.index, around);
  const turn = node.kind === 'loop' ? shownTurn(facts, node.index, around, chosen) : null;
  const times = facts.steps.get(node.index)?.times ?? 0;
  const isLeftOut = node.kind === 'if' && happening?.result === false;
  // A step that could not start has no event: the error of the run, from the newest iteration,
  // names it.
  const failed =
    failedAt === node.index &&
    (happening === undefined
      ? chosen.size === 0 && !facts.steps.get(node.index)?.failures
      : happening.state === 'FAILED');
  const state = failed ? 'failed' : (happening?.state.toLowerCase() ?? 'none');
  const line = useRef<HTMLDivElement>(null);
  const isSelected = selected === node.index;
  // Links may select a step outside the visible area.
  useEffect(() => {
    if (isSelected) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <li class={`step step-${shown.plain ? 'plain' : state}${isLeftOut ? ' step-left-out' : ''}`}>
      <div ref={line} class={isSelected ? 'step-line selected' : 'step-line'}>
        <span class={`step-icon step-icon-${node.kind}`}>
          <Icon name={ICONS[node.kind]} size={15} />
        </span>
        <button
          id={rowOf(node.index)}
          type="button"
          class="step-name"
          aria-pressed={isSelected}
          onClick={() =>
            look({ step: isSelected ? closedStep(failedAt) : node.index }, { replace: true })
          }
        >
          <span class="step-title">
            <bdi>{node.title}</bdi>
            {times > 1 ? <span class="quiet num times"> ×{times}</span> : null}
          </span>
          {node.about === null ? null : <code class="step-about">{node.about}</code>}
        </button>
        {happening !== undefined && node.kind === 'loop' && happening.size !== null ? (
          <LoopTurns
            node={node}
            happening={happening}
            turn={turn}
            value={turn === null ? null : facts.valueOf(node.index, [...around, turn])}
            chosen={chosen}
          />
        ) : null}
        {shown.plain ? null : (
          <span class="outcome">
            <Outcome
              node={node}
              happening={happening}
              failed={failed}
              missing={shown.missing?.(node.index, around) ?? 'not-run'}
            />
          </span>
        )}
      </div>
      {node.children.length === 0 ? null : (
        <StepList
          nodes={node.children}
          around={node.kind === 'loop' ? [...around, turn ?? 0] : around}
          shown={shown}
        />
      )}
    </li>
  );
}

/** The steps of a workflow, with their results in the selected iterations. */
export function StepList({
  nodes,
  around,
  shown,
}: {
  nodes: readonly StepNode[];
  around: readonly number[];
  shown: Shown;
}) {
  return (
    <ul class="steps">
      {nodes.map((node) => (
        <StepRow key={node.index} node={node} around={around} shown={shown} />
      ))}
    </ul>
  );
}

/** Returns the shown iterations of the loops around a step, 0 where none has begun. */
export function turnsAround(
  nodes: readonly StepNode[],
  index: string,
  facts: RunFacts,
  chosen: ChosenTurns,
): readonly number[] {
  const around: number[] = [];
  let level = nodes;
  for (;;) {
    const parent = level.find((node) => index.startsWith(`${node.index}_`));
    if (parent === undefined) return around;
    if (parent.kind === 'loop')
      around.push(shownTurn(facts, parent.index, [...around], chosen) ?? 0);
    level = parent.children;
  }
}

export const findStep = (nodes: readonly StepNode[], index: string): StepNode | null => {
  for (const node of nodes) {
    const found = node.index === index ? node : findStep(node.children, index);
    if (found !== null) return found;
  }
  return null;
};
