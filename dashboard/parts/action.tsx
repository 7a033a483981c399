import { useRef, useState } from 'preact/hooks';
import { asFailure } from '../api/failure';
import { Button } from './button';
import { Icon } from './icon';
import type { IconName } from './icon';
import { tell } from './notices';

export interface ActionProps {
  readonly icon: IconName;
  readonly text: string;
  /**
   * A more specific label for lists. It must begin with the text, for speech control: `Cancel run
   * 42`.
   */
  readonly label?: string;
  readonly quiet?: boolean;
  readonly confirm?: string;
  /** Text of the confirming button if `text` would be ambiguous. */
  readonly yes?: string;
  /** Errors that it throws are shown. */
  readonly run: () => Promise<void>;
}

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
              Close
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

/** Throws the first user error of a mutation, so that it is shown like a failure. */
export function orThrow(userErrors: readonly UserError[]): void {
  const [first] = userErrors;
  if (first !== undefined) throw new Error(first.message);
}
