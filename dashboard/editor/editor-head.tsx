import { useEffect, useState } from 'preact/hooks';
import { toFailure } from '../api/failure';
import { request } from '../api/request';
import { RunWorkflowDocument } from '../generated/operations';
import { Action, throwUserError } from '../parts/action';
import { Button } from '../parts/button';
import { Icon } from '../parts/icon';
import { notify } from '../parts/notices';
import { href, navigate } from '../router';
import { Presence } from './presence';
import { ProblemList, problemsOf } from './problem-list';
import type { EditSession, SaveState } from './session';
import type { StepOutcomes } from './test/outcomes';
import { startTest } from './test/test-strip';

const SAVE_TEXTS: Readonly<Record<SaveState, string>> = {
  saved: 'Saved',
  saving: 'Saving',
  incomplete: 'Not complete',
  rejected: 'Not saved',
  offline: 'Offline, edits wait',
};

function SaveStatus({ session }: { session: EditSession }) {
  const state = session.state.value;
  const { version } = session.saved.value;
  const savedAt = session.savedAt.value;
  const time = savedAt?.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return (
    <span class={`save-state save-${state}`} role="status">
      {SAVE_TEXTS[state]}
      {state === 'saved' && time !== undefined ? ` ${time}` : ''} · version {version}
    </span>
  );
}

function Title({ session }: { session: EditSession }) {
  const { title } = session.document.value;
  useEffect(() => {
    document.title = `${title} · Hypha`;
  }, [title]);
  return (
    <h1 class="editor-title">
      <input
        type="text"
        aria-label="Title of the workflow"
        maxLength={128}
        disabled={session.isReadOnly.value}
        value={title}
        onInput={({ currentTarget }) =>
          session.change({ kind: 'details', title: currentTarget.value }, { isTyping: true })
        }
        onBlur={() => session.flush()}
      />
    </h1>
  );
}

/** The head of the editor: title, state, undo, problems, test and run. */
export function EditorHead({
  session,
  outcomes,
}: {
  session: EditSession;
  outcomes: StepOutcomes;
}) {
  const [showsProblems, setShowsProblems] = useState(false);
  const problems = problemsOf(session);
  const isReadOnly = session.isReadOnly.value;
  const test = (): void => {
    startTest(session, outcomes).catch((error: unknown) =>
      notify(toFailure(error).message, { isError: true }),
    );
  };
  return (
    <header class="editor-head">
      <Title session={session} />
      <a href={href(`workflows/${session.id}`)}>Overview</a>
      <SaveStatus session={session} />
      <Presence session={session} />
      <span class="editor-actions">
        {isReadOnly ? (
          <span class="quiet">
            {session.isDeleted.value ? 'This workflow was deleted.' : 'You may only read it.'}
          </span>
        ) : (
          <>
            <Button
              class="button quiet-button"
              title="Undo (Ctrl+Z)"
              isDisabled={session.pending.value.length === 0 && !session.saved.value.canUndo}
              onClick={() => void session.undo()}
            >
              <Icon name="undo" size={14} />
              <span>Undo</span>
            </Button>
            <Button
              class="button quiet-button"
              title="Redo (Ctrl+Shift+Z)"
              isDisabled={session.pending.value.length > 0 || !session.saved.value.canRedo}
              onClick={() => void session.redo()}
            >
              <Icon name="redo" size={14} />
              <span>Redo</span>
            </Button>
          </>
        )}
        <span class="problem-button">
          <Button
            class={problems.length === 0 ? 'button quiet-button' : 'button has-problems'}
            aria-expanded={showsProblems}
            isDisabled={problems.length === 0}
            onClick={() => setShowsProblems(!showsProblems)}
          >
            {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
          </Button>
          {showsProblems && problems.length > 0 ? (
            <ProblemList session={session} onClose={() => setShowsProblems(false)} />
          ) : null}
        </span>
        {isReadOnly ? null : (
          <>
            <Button class="button" onClick={test}>
              <Icon name="play" size={14} />
              <span>Test</span>
            </Button>
            <Action
              icon="bolt"
              text="Run"
              run={async () => {
                await session.settled();
                const { workflowRun } = await request(RunWorkflowDocument, {
                  id: session.id,
                  logging: true,
                });
                throwUserError(workflowRun.userErrors);
                navigate(href(`runs/${workflowRun.run?.databaseId}`));
              }}
            />
          </>
        )}
      </span>
    </header>
  );
}
