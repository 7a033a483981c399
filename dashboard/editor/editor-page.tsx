import { useEffect, useMemo } from 'preact/hooks';
import { useQuery } from '../api/hooks';
import { EditorWorkflowDocument } from '../generated/operations';
import type { EditorWorkflowQuery } from '../generated/operations';
import { RecordPage } from '../parts/page';
import { route, setQuery } from '../router';
import { Samples } from './data/samples';
import { EditorDialogs } from './dialogs';
import { EditorHead } from './editor-head';
import { Flow, FlowView } from './flow/flow';
import { Triggers } from './flow/triggers';
import { EditSession } from './session';
import { StepPanel } from './step/step-panel';
import { usePresence } from './presence';
import { StepOutcomes } from './test/outcomes';
import { startTest, TestStrip } from './test/test-strip';

type EditorWorkflow = NonNullable<EditorWorkflowQuery['workflow']>;

/** Keys that work everywhere on the page except in fields. */
function usePageKeys(session: EditSession, outcomes: StepOutcomes): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isField(event.composedPath()[0])) return;
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && event.key.toLowerCase() === 'z')
        void (event.shiftKey ? session.redo() : session.undo());
      else if (!isCommand && event.key.toLowerCase() === 't') void startTest(session, outcomes);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [session]);
}

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, dialog, dialog *'));

function Editor({ id, workflow }: { id: string; workflow: EditorWorkflow }) {
  const { session, outcomes, samples, view } = useMemo(() => {
    const session = new EditSession(id, workflow, workflow.draft?.content ?? null);
    session.selectedId.value = route.value.query.get('step');
    const outcomes = new StepOutcomes();
    const view = new FlowView(session, outcomes, () =>
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>('.step-panel input, .step-panel select')?.focus(),
      ),
    );
    return { session, outcomes, samples: new Samples(id), view };
  }, [id]);
  useEffect(() => () => session.dispose(), [session]);
  usePageKeys(session, outcomes);
  usePresence(session);
  const selectedId = session.selected.value?.step.id ?? null;
  useEffect(() => setQuery({ step: selectedId }, { replace: true }), [selectedId]);
  const close = (): void => {
    const stepId = session.selectedId.value;
    session.selectedId.value = null;
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-step="${CSS.escape(stepId ?? '')}"]`)?.focus(),
    );
  };
  return (
    <div class={selectedId === null ? 'editor' : 'editor editor-split'}>
      <EditorHead session={session} outcomes={outcomes} />
      <div class="editor-body">
        <Flow view={view} head={<Triggers session={session} />} />
        <StepPanel view={view} samples={samples} onClose={close} />
      </div>
      {outcomes.runId.value === null ? null : (
        <TestStrip
          key={outcomes.runId.value}
          session={session}
          outcomes={outcomes}
          onEnd={() => void samples.load()}
        />
      )}
      <EditorDialogs session={session} />
    </div>
  );
}

/** Edits one workflow. */
export function EditorPage({ id }: { id: string }) {
  const query = useQuery(EditorWorkflowDocument, { id });
  return (
    <RecordPage
      title={`Workflow ${id}`}
      name="workflow"
      query={query}
      recordOf={({ workflow }) => workflow}
      notFoundText="It may have been deleted."
    >
      {(workflow) => <Editor key={id} id={id} workflow={workflow} />}
    </RecordPage>
  );
}
