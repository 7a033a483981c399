import { useState } from 'preact/hooks';
import { toFailure } from '../../api/failure';
import { Action } from '../../parts/action';
import { Button } from '../../parts/button';
import { notify } from '../../parts/notices';
import { Time } from '../../parts/runs/times';
import { TextBlock } from '../../parts/text-block';
import { href } from '../../router';
import { EventExchange } from '../../run/exchange';
import { DataTree } from '../data/data-tree';
import { bodyOf } from '../data/samples';
import type { Sample } from '../data/samples';
import { isUnsavedId } from '../document';
import type { MethodStep } from '../document';
import { useStepContext } from '../fields/step-context';
import type { StepOutcomes } from '../test/outcomes';

const SOURCE_TEXTS: Readonly<Record<Sample['source'], string>> = {
  TEST: 'From your last test',
  RUN: 'From a run',
  PINNED: 'Pinned',
  TYPED: 'Typed',
};

/** A sample answer that the user types, as JSON or as text. */
function TypedSample({ step, sample }: { step: MethodStep; sample: Sample | undefined }) {
  const { samples } = useStepContext();
  const body = sample === undefined ? null : bodyOf(sample);
  const [text, setText] = useState(body === null ? '' : JSON.stringify(body, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    let answer: unknown = text;
    try {
      answer = JSON.parse(text);
    } catch (error) {
      if (/^\s*[[{]/.test(text)) return setProblem((error as Error).message);
    }
    try {
      await samples.store(step.id, { answer });
      setProblem(null);
      notify('The sample was stored.');
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  };
  return (
    <details>
      <summary>Type a sample answer</summary>
      <label class="field">
        Body of the answer, JSON or text
        <textarea
          rows={8}
          class="code-area"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {problem === null ? null : (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <Button class="button" onClick={() => void save()}>
        Use as sample
      </Button>
    </details>
  );
}

function SampleView({ step, sample }: { step: MethodStep; sample: Sample }) {
  const { session, samples } = useStepContext();
  const { source, at, answer, request, error, run } = sample;
  const isStored = source === 'PINNED' || source === 'TYPED';
  const body = bodyOf(sample);
  return (
    <>
      <p class="sample-line">
        <span class="quiet">
          {SOURCE_TEXTS[source]} <Time at={at} />
        </span>
        {answer === null ? null : (
          <span class={answer.status < 400 ? 'tag' : 'tag bad'}>{answer.status}</span>
        )}
        {run === null ? null : <a href={href(`runs/${run.databaseId}`)}>Run {run.databaseId}</a>}
        {session.isReadOnly.value ? null : isStored ? (
          <Action icon="pin" text="Unpin" isQuiet run={() => samples.remove(step.id)} />
        ) : (
          <Action icon="pin" text="Pin as sample" isQuiet run={() => samples.store(step.id, {})} />
        )}
      </p>
      {error === null ? null : (
        <p class="bad">
          <bdi>{error.message}</bdi>
        </p>
      )}
      {request === null ? null : (
        <p>
          <code>
            {request.method} {request.url}
          </code>
        </p>
      )}
      {typeof body === 'object' && body !== null ? (
        <DataTree value={body} onPick={() => undefined} />
      ) : body === null ? (
        <p class="quiet">The answer has no body.</p>
      ) : (
        <TextBlock
          text={typeof body === 'string' ? body : JSON.stringify(body)}
          label="Body of the answer"
        />
      )}
      {answer?.truncated ? <p class="quiet">The recorded answer ends here.</p> : null}
    </>
  );
}

/** The last request and answer of a step, and the sample that later steps are tried with. */
export function AnswerTab({ step, outcomes }: { step: MethodStep; outcomes: StepOutcomes }) {
  const { samples } = useStepContext();
  const sample = samples.byStep.value.get(step.id);
  const runId = outcomes.runId.value;
  const last = [...(outcomes.resultsOf(step.id)?.results.values() ?? [])].at(-1);
  return (
    <>
      {runId === null || last?.finishedSequence == null ? null : (
        <details open={sample === undefined}>
          <summary>Request and response of this test</summary>
          <EventExchange
            key={last.finishedSequence}
            runId={runId}
            sequence={last.finishedSequence}
            isStored
          />
        </details>
      )}
      {sample === undefined ? (
        <p class="quiet">No answer yet. Test the workflow or this step, or type a sample.</p>
      ) : (
        <SampleView step={step} sample={sample} />
      )}
      {isUnsavedId(step.id) ? null : <TypedSample key={sample?.at} step={step} sample={sample} />}
    </>
  );
}
