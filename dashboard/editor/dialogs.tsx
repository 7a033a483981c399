import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button';
import { stepTitle } from './fields/references';
import { removeNow } from './flow/remove-step';
import type { Clash } from './pending-edits';
import type { EditSession } from './session';
import { formatWithNames } from './versions/compared';

function Dialog({
  label,
  onClose,
  children,
}: {
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="form-dialog wide" aria-label={label} onClose={onClose}>
      <h2>{label}</h2>
      {children}
    </dialog>
  );
}

/** Asks before a step is removed that others refer to, and leads to them. */
function RemovalDialog({ session }: { session: EditSession }) {
  const removal = session.removal.value;
  if (removal === null) return null;
  const { node, users } = removal;
  const close = (): void => {
    session.removal.value = null;
  };
  return (
    <Dialog label={`Remove ${stepTitle(node.step)}?`} onClose={close}>
      <p>These steps use its data, and will have nothing in its place:</p>
      <ul class="notes">
        {users.map(({ step, number }) => (
          <li key={step.id}>
            <button
              type="button"
              class="link"
              onClick={() => {
                session.selectedId.value = step.id;
                close();
              }}
            >
              {number} {stepTitle(step)}
            </button>
          </li>
        ))}
      </ul>
      <div class="dialog-buttons">
        <Button class="button" onClick={close}>
          Cancel
        </Button>
        <Button class="button primary" onClick={() => removeNow(session, node)}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}

const formatClashValue = (value: unknown, session: EditSession): string =>
  value === null || value === '' ? '(empty)' : formatWithNames(value, session.titles.value);

/** Shows both values of a field that two users changed, to choose one. */
function ClashDialog({ session, clash }: { session: EditSession; clash: Clash }) {
  const { edit } = clash.pending;
  const node = 'stepId' in edit ? session.nodeOf(edit.stepId) : undefined;
  const { email } = session.saved.value.updatedBy;
  return (
    <Dialog label="Changed by two people" onClose={() => undefined}>
      <p>
        You and <bdi>{email}</bdi> changed <b>{clash.path.replace('request.', '')}</b>
        {node === undefined ? '' : ` of step ${node.number}, ${stepTitle(node.step)}`}. Choose the
        value to save.
      </p>
      <div class="clash">
        {(['own', 'saved'] as const).map((choice) => (
          <section key={choice}>
            <h3>{choice === 'own' ? 'Your value' : 'Saved value'}</h3>
            <pre tabIndex={0}>{formatClashValue(clash[choice], session)}</pre>
            <Button
              class={choice === 'own' ? 'button primary' : 'button'}
              onClick={() => session.settle(clash, choice)}
            >
              {choice === 'own' ? 'Keep yours' : 'Take the saved one'}
            </Button>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

export function EditorDialogs({ session }: { session: EditSession }) {
  const [clash] = session.clashes.value;
  return (
    <>
      <RemovalDialog key={session.removal.value?.node.step.id} session={session} />
      {clash === undefined ? null : (
        <ClashDialog key={`${clash.pending.id} ${clash.path}`} session={session} clash={clash} />
      )}
    </>
  );
}
