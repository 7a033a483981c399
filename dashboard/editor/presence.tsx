import { useEffect } from 'preact/hooks';
import { request } from '../api/request';
import { currentUser } from '../current-user';
import { SetPresenceDocument } from '../generated/operations';
import { isUnsavedId } from './document';
import type { EditSession } from './session';

/** The service forgets who has a workflow open after 30 s, ms. */
const RENEW_MS = 15_000;

/** Tells other users that this one has the workflow open, and at which step. */
export function usePresence(session: EditSession): void {
  const selectedId = session.selectedId.value;
  const stepId = selectedId === null || isUnsavedId(selectedId) ? null : selectedId;
  useEffect(() => {
    const send = (present: boolean): void => {
      // Presence is an aid: the next call tries again.
      request(SetPresenceDocument, {
        input: { workflowId: session.id, stepId: present ? stepId : null, present },
      }).catch(() => undefined);
    };
    send(true);
    const timer = setInterval(() => {
      if (!document.hidden) send(true);
    }, RENEW_MS);
    const leave = (): void => send(false);
    addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      removeEventListener('pagehide', leave);
    };
  }, [session, stepId]);
  useEffect(
    () => () => {
      request(SetPresenceDocument, { input: { workflowId: session.id, present: false } }).catch(
        () => undefined,
      );
    },
    [session],
  );
}

/** The other users who have the workflow open. */
export function Presence({ session }: { session: EditSession }) {
  const own = currentUser.value?.email;
  const others = session.present.value.filter(({ user }) => user.email !== own);
  if (others.length === 0) return null;
  return (
    <span class="presence" role="status">
      {others.map(({ user, stepId }) => {
        const number = session.nodeOf(stepId)?.number;
        return (
          <span key={user.userId} class="tag">
            <bdi>{user.email}</bdi> is here{number === undefined ? '' : `, at step ${number}`}
          </span>
        );
      })}
    </span>
  );
}
