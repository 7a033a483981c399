import { useDebounced } from '../../parts/fields';
import { findReferences } from '../fields/references';
import { useStepContext } from '../fields/step-context';
import { formatValue } from '../../parts/values';

/** Shows the value of a text with the samples of the steps before. */
export function ValueUnderField({ text, isExpression }: { text: string; isExpression: boolean }) {
  const { samples, node } = useStepContext();
  // What is typed on the way is not evaluated.
  const isSettled = useDebounced(text) === text;
  if (!isSettled || findReferences(text).length === 0) return null;
  const preview = samples.previewOf(node.step.id, isExpression ? 'EXPRESSION' : 'TEXT', text);
  if (preview === null) return null;
  const { problem, missing } = preview;
  if (problem !== null) return <p class="step-field-value bad">{problem.message}</p>;
  return (
    <p class="step-field-value quiet">
      {missing ? 'No such value in the sample: ' : '= '}
      <bdi>{preview.text === null ? formatValue(preview.value) : formatValue(preview.text)}</bdi>
    </p>
  );
}
