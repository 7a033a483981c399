import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button';
import { Form } from './form';
import { Icon } from './icon';
import type { IconName } from './icon';

interface FormDialogProps {
  readonly icon: IconName;
  /** Text of the button that opens the dialog. */
  readonly text: string;
  /** A more specific label for lists. It must begin with the text, for speech control. */
  readonly label?: string;
  readonly isQuiet?: boolean;
  /** Heading of the dialog. Default: `label`, else `text`. */
  readonly title?: string;
  /** Text of the button that submits. Default: `text`. */
  readonly submitText?: string;
  readonly isWide?: boolean;
  /** Gets the values by the names of the inputs; errors that it throws are shown. */
  readonly submit: (values: FormData) => Promise<void>;
  /** Inputs, or a question. */
  readonly children: ComponentChildren;
}

/**
 * A button that opens a modal dialog with a form. The dialog closes once the form was submitted,
 * and stays open with the reasons if the change was rejected.
 */
export function FormDialog({
  icon,
  text,
  label,
  isQuiet = false,
  title = label ?? text,
  submitText = text,
  isWide = false,
  submit,
  children,
}: FormDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // Opens after the inputs were rendered, so that the first one gets the focus.
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const close = (): void => dialog.current?.close();
  return (
    <>
      <Button
        class={isQuiet ? 'button quiet-button' : 'button'}
        aria-label={label}
        onClick={() => setIsOpen(true)}
      >
        <Icon name={icon} size={14} />
        <span>{text}</span>
      </Button>
      <dialog
        ref={dialog}
        class={isWide ? 'form-dialog wide' : 'form-dialog'}
        aria-label={title}
        onClose={() => setIsOpen(false)}
      >
        {isOpen ? (
          <>
            <h2>{title}</h2>
            <Form
              label={title}
              submitText={submitText}
              isGuarded={false}
              submit={async (values) => {
                await submit(values);
                close();
              }}
              buttons={
                <Button class="button" onClick={close}>
                  Cancel
                </Button>
              }
            >
              {children}
            </Form>
          </>
        ) : null}
      </dialog>
    </>
  );
}
