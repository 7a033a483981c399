import { useRef, useState } from 'preact/hooks';
import { asFailure } from '../api/failure';
import { Button } from './button';
import { Icon } from './icon';
import type { IconName } from './icon';
import { tell } from './notices';

export interface ActionProps {
  readonly icon: IconName;
  readonly text: string;
  /** Says more than the text where several stand in a list, and begins with it: `Cancel run 42`. Whoever speaks to his computer says what he reads. */
  readonly label?: string;
  readonly quiet?: boolean;
  /** What is asked before it is done. */
  readonly confirm?: string;
  /** The answer that it is meant, where the text alone would leave that open. */
  readonly yes?: string;
  /** What went wrong is told by what it throws. */
  readonly run: () => Promise<void>;
}

/** A button that does something at the service. */
export function Action({
  icon,
  text,
  label,
  quiet = false,
  confirm,
  yes = text,
  run,
}: ActionProps) {
  const [busy, setBusy] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const act = async (): Promise<void> => {
    setBusy(true);
    try {
      await run();
    } catch (error) {
      tell(asFailure(error).message, { isBad: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        class={quiet ? 'button quiet-button' : 'button'}
        aria-label={label}
        off={busy}
        onClick={() => {
          if (confirm === undefined) void act();
          else dialog.current?.showModal();
        }}
      >
        <Icon name={icon} size={14} />
        <span>{text}</span>
      </Button>
      {confirm === undefined ? null : (
        <dialog
          ref={dialog}
          aria-label={yes}
          onClose={({ currentTarget }) => {
            if (currentTarget.returnValue === 'yes') void act();
            currentTarget.returnValue = '';
          }}
        >
          <p>{confirm}</p>
          <div class="dialog-buttons">
            <button type="button" class="button" onClick={() => dialog.current?.close('')}>
              Leave it
            </button>
            <button
              type="button"
              class="button primary"
              onClick={() => dialog.current?.close('yes')}
            >
              {yes}
            </button>
          </div>
        </dialog>
      )}
    </>
  );
}

interface UserError {
  readonly message: string;
}

/** What a mutation refuses is told like what fails. */
export function orThrow(userErrors: readonly UserError[]): void {
  const [first] = userErrors;
  if (first !== undefined) throw new Error(first.message);
}
