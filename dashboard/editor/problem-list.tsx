import { setQuery } from '../router';
import { stepTitle } from './fields/references';
import type { EditSession } from './session';
import { waitReason } from './pending-edits';

/** A problem of the workflow, or of an edit that is not saved. */
interface Problem {
  readonly stepId: string | null;
  readonly path: string | null;
  readonly message: string;
}

/** Problems of what is saved, and edits that wait or were rejected. */
export function problemsOf(session: EditSession): readonly Problem[] {
  const waiting = session.pending.value.flatMap((entry): Problem[] => {
    const message = entry.failure ?? waitReason(entry);
    const stepId = 'stepId' in entry.edit ? entry.edit.stepId : null;
    return message === null ? [] : [{ stepId, path: null, message }];
  });
  return [
    ...waiting,
    ...session.saved.value.validation.map(({ stepId, field, message }) => ({
      stepId,
      path: field,
      message,
    })),
  ];
}

/** Tabs of the panel by the first name of a path. */
const tabOf = (path: string | null): string | null =>
  path !== null && /^(?:timeout|retries|backoff|required|repeatable|successStatus)/.test(path)
    ? 'failure'
    : null;

/** Lists the problems; each leads to its field. */
export function ProblemList({ session, onClose }: { session: EditSession; onClose: () => void }) {
  const open = ({ stepId, path }: Problem): void => {
    if (stepId === null) return;
    session.selectedId.value = stepId;
    setQuery({ tab: tabOf(path) }, { replace: true });
    onClose();
    requestAnimationFrame(() => {
      const field =
        path === null ? null : document.querySelector(`[data-field="${CSS.escape(path)}"]`);
      const target = field?.querySelector('.code-host')?.shadowRoot?.querySelector('.cm-content');
      if (target instanceof HTMLElement) target.focus();
    });
  };
  return (
    <ul class="picker problem-list" aria-label="Problems">
      {problemsOf(session).map((problem, at) => {
        const node = session.nodeOf(problem.stepId);
        return (
          <li key={at}>
            {node === undefined ? (
              <bdi>{problem.message}</bdi>
            ) : (
              <button type="button" onClick={() => open(problem)}>
                <b>
                  <bdi>
                    {node.number} {stepTitle(node.step)}
                  </bdi>
                </b>
                <bdi>{problem.message}</bdi>
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
