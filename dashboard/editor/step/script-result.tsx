import { useEffect, useState } from 'preact/hooks';
import { request } from '../../api/request';
import { ScriptResultDocument } from '../../generated/operations';
import type { ScriptResultQuery } from '../../generated/operations';
import { formatDuration } from '../../parts/format';
import { isUnsavedId } from '../document';
import type { Binding } from '../document';
import { useStepContext } from '../fields/step-context';
import { formatValue } from '../../parts/values';

/** Delay after the last keystroke before a script is tried, ms. */
const TRY_DELAY_MS = 600;
/** How often a failed request is repeated. */
const MAX_ATTEMPTS = 5;

/** Shows the inputs and the result of a script with the samples of the steps before. */
export function ScriptResult({ stepId, binding }: { stepId: string; binding: Binding }) {
  const { session, samples } = useStepContext();
  const [preview, setPreview] = useState<ScriptResultQuery['scriptPreview'] | null>(null);
  const { from, to, enhancement } = binding;
  const content = JSON.stringify({ from, to, enhancement });
  const sampleList = samples.list.value;
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (isUnsavedId(stepId) || session.isReadOnly.value || !enhancement?.expertCode?.trim())
      return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const variables = {
        workflowId: session.id,
        stepId,
        binding: JSON.parse(content) as Pick<Binding, 'from' | 'to' | 'enhancement'>,
      };
      request(ScriptResultDocument, variables, controller.signal).then(
        ({ scriptPreview }) => setPreview(scriptPreview),
        () => {
          if (!controller.signal.aborted) setAttempt((count) => Math.min(count + 1, MAX_ATTEMPTS));
        },
      );
    }, TRY_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [content, sampleList, stepId, attempt]);
  if (preview === null) return null;
  const { inputs, result, problem, durationMs } = preview;
  return (
    <div class="script-result" role="status">
      {Object.entries((inputs ?? {}) as Record<string, unknown>).map(([name, value]) => (
        <p key={name} class="quiet">
          {name} = <bdi>{formatValue(value)}</bdi>
        </p>
      ))}
      {problem === null ? (
        <p>
          Result: <bdi>{formatValue(result, 400)}</bdi>{' '}
          {durationMs === null ? null : <span class="quiet">{formatDuration(durationMs)}</span>}
        </p>
      ) : (
        <p class="bad">
          {problem.line === null ? '' : `Line ${problem.line}: `}
          {problem.message}
        </p>
      )}
    </div>
  );
}
