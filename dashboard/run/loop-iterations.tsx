import { Button } from '../parts/button';
import { formatJson, formatQuantity } from '../parts/format';
import { Icon } from '../parts/icon';
import { setQuery } from '../router';
import { selectIteration } from './iterations';
import type { SelectedIterations } from './iterations';
import type { StepResult } from './run-results';
import type { StepNode } from './step-tree';

/** With more iterations, one is selected by its number. */
const MAX_STEPPED_ITERATIONS = 10;

/** Selects an iteration by its number, counted from 1. */
function IterationInput({
  title,
  started,
  onSelect,
}: {
  title: string;
  started: number;
  onSelect: (iteration: number) => void;
}) {
  const read = (input: HTMLInputElement): void => {
    const number = Math.trunc(Number(input.value));
    input.value = '';
    if (number >= 1) onSelect(Math.min(number, started) - 1);
  };
  return (
    <input
      class="iteration-input"
      type="number"
      min={1}
      max={started}
      placeholder="Go to"
      aria-label={`Go to an iteration of ${title}`}
      onChange={({ currentTarget }) => read(currentTarget)}
    />
  );
}

/** The item of a loop in the shown iteration: `i = 5`. */
function IterationValue({ node, value }: { node: StepNode; value: unknown }) {
  if (value == null) return null;
  const iterator = node.shape?.__typename === 'OperatorStep' ? node.shape.iterator : null;
  const text = `${iterator ?? 'value'} = ${formatJson(value)}`;
  return (
    <span class="quiet num iteration-value" title={text}>
      <bdi dir="ltr">{text}</bdi>
    </span>
  );
}

/**
 * Selects the iteration of a loop that the steps in it show.
 * @param props.iteration the shown one, or null if none has started
 */
export function LoopIterations({
  node,
  result: { size, startedIterations: started },
  iteration,
  value,
  selected,
}: {
  node: StepNode;
  result: StepResult;
  iteration: number | null;
  value: unknown;
  selected: SelectedIterations;
}) {
  if (iteration === null)
    return (
      <span class="iterations quiet">
        {size === 0
          ? 'empty list'
          : `${formatQuantity(size ?? started, 'iteration', 'iterations')} without requests`}
      </span>
    );
  const select = (to: number | null): void =>
    setQuery({ turns: selectIteration(selected, node.index, to) || null }, { replace: true });
  const isNewest = !selected.has(node.index);
  return (
    <span class="iterations" role="group" aria-label={`Iteration of ${node.title}`}>
      <Button
        class="bare"
        aria-label="Previous iteration"
        isDisabled={iteration === 0}
        onClick={() => select(iteration - 1)}
      >
        <Icon name="left" size={14} />
      </Button>
      <span class="num">
        iteration {iteration + 1} of {size ?? started}
      </span>
      <Button
        class="bare"
        aria-label="Next iteration"
        isDisabled={iteration >= started - 1}
        onClick={() => select(iteration + 1)}
      >
        <Icon name="right" size={14} />
      </Button>
      {started > MAX_STEPPED_ITERATIONS ? (
        <IterationInput title={node.title} started={started} onSelect={select} />
      ) : null}
      {isNewest ? null : (
        <button type="button" class="button quiet-button small" onClick={() => select(null)}>
          Newest
        </button>
      )}
      <IterationValue node={node} value={value} />
    </span>
  );
}
