import type { MethodStep } from '../document';
import { useStepContext } from '../fields/step-context';
import { DataTree } from '../data/data-tree';

/** The last answer of a step, which later steps are tried with. */
export function AnswerTab({ step }: { step: MethodStep }) {
  const { samples } = useStepContext();
  const sample = samples.byStep.value.get(step.id);
  if (sample === undefined)
    return <p class="quiet">No answer yet. Test the workflow, or this step only.</p>;
  return <DataTree value={sample.body} onPick={() => undefined} />;
}
