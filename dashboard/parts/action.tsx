import type { Ref } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button } from './button';
import { Icon } from './icon';
import type { IconName } from './icon';
import { notifyFailure } from './notices';

/** A modal dialog that asks for confirmation. Open it with `showModal()`. */
export function ConfirmDialog({
  dialog,
  text,
  confirmText,
  closeText = 'Close',
  onConfirm,
}: {
  dialog: Ref<HTMLDialogElement>;
  text: string;
  confirmText: string;
  closeText?: string;
  onConfirm: () => void;
}) {
  return (
    <dialog
      ref={dialog}
      aria-label={confirmText}
      onClose={({ currentTarget }) => {
        if (currentTarget.returnValue === 'confirmed') onConfirm();
        currentTarget.returnValue = '';
      }}
    >
      <p>{text}</p>
      <div class="dialog-buttons">
        <button
          type="button"
          class="button"
          onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close('')}
        >
          {closeText}
        </button>
        <button
          type="button"
          class="button primary"
          onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close('confirmed')}
        >
          {confirmText}
        </button>
      </div>
    </dialog>
  );
}

/** Runs changes: an error is shown, then `onFailure` is called. */
export function useAction(): {
  readonly isBusy: boolean;
  readonly perform: (run: () => Promise<void>, onFailure?: () => void) => Promise<void>;
} {
  const [isBusy, setIsBusy] = useState(false);
  const perform = async (run: () => Promise<void>, onFailure?: () => void): Promise<void> => {
    setIsBusy(true);
    try {
      await run();
    } catch (error) {
      notifyFailure(error);
      onFailure?.();
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, perform };
}

/** A button that runs a change, with an optional confirmation. */
export function Action({
  icon,
  text,
  label,
  isQuiet = false,
  isPrimary = false,
  confirm,
  confirmText = text,
  run,
}: {
  icon: IconName;
  text: string;
  /**
   * A more specific label for lists. It must begin with the text, for speech control: `Cancel run
   * 42`.
   */
  label?: string;
  isQuiet?: boolean;
  isPrimary?: boolean;
  /** The question to confirm. */
  confirm?: string;
  /** Text of the confirming button if `text` would be ambiguous. */
  confirmText?: string;
  /** Errors that it throws are shown. */
  run: () => Promise<void>;
}) {
  const { isBusy, perform } = useAction();
  const start = (): void => void perform(run);
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button
        class={isQuiet ? 'button quiet-button' : isPrimary ? 'button primary' : 'button'}
        aria-label={label}
        isDisabled={isBusy}
        onClick={() => {
          if (confirm === undefined) start();
          else dialog.current?.showModal();
        }}
      >
        <Icon name={icon} size={14} />
        <span>{text}</span>
      </Button>
      {confirm === undefined ? null : (
        <ConfirmDialog dialog={dialog} text={confirm} confirmText={confirmText} onConfirm={start} />
      )}
    </>
  );
}

/** Throws the first user error of a mutation, so that it is shown like a failure. */
export function throwUserError(userErrors: readonly { readonly message: string }[]): void {
  const [first] = userErrors;
  if (first !== undefined) throw new Error(first.message);
}
