import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { toFailure } from '../api/failure';
import { ConfirmDialog } from './action';
import { Button } from './button';
import { Field } from './fields';
import type { Option } from './fields';
import { useUnsavedChanges } from './unsaved-changes';

/** A reason why a mutation changed nothing. `path` names the field of its input. */
interface UserError {
  readonly message: string;
  readonly path: readonly string[];
}

/** A change that the service rejected, with all reasons. */
export class Rejected extends Error {
  constructor(readonly reasons: readonly UserError[]) {
    super(reasons.map(({ message }) => message).join(' '));
  }
}

/** @throws Rejected if there are user errors */
export function throwUserErrors(userErrors: readonly UserError[]): void {
  if (userErrors.length > 0) throw new Rejected(userErrors);
}

const reasonsOf = (error: unknown): readonly UserError[] =>
  error instanceof Rejected ? error.reasons : [{ message: toFailure(error).message, path: [] }];

/** Returns a value of a form as it was entered, such as a password. */
export function enteredText(values: FormData, name: string): string {
  const value = values.get(name);
  // Browsers send CRLF as line breaks.
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
}

/** Returns a value of a form without surrounding whitespace. */
export const textOf = (values: FormData, name: string): string => enteredText(values, name).trim();

/** Returns the lines of a text without surrounding whitespace, omitting empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns the values of the checked boxes with this name. */
export const checkedValues = (values: FormData, name: string): string[] =>
  values.getAll(name).filter((value) => typeof value === 'string');

/**
 * Returns the name of the field that a reason is about, or null. Lists are one field, so the
 * position in a list is omitted: `recipients.0` is about `recipients`.
 */
function fieldOf(form: HTMLFormElement, { path }: UserError): string | null {
  const names = path.map((_part, at) => path.slice(0, at + 1).join('.'));
  return names.findLast((name) => form.elements.namedItem(name) !== null) ?? null;
}

/** Names of the fields that the service rejected. */
const RejectedFields = createContext<readonly string[]>([]);

/** Returns `aria-invalid` of a field. */
export const useInvalid = (name: string): true | undefined =>
  useContext(RejectedFields).includes(name) ? true : undefined;

/** Runs the submission of a form and keeps the reasons of a rejected one. */
function useSubmit(submit: (values: FormData) => Promise<void>, clears: boolean) {
  const [reasons, setReasons] = useState<readonly UserError[]>([]);
  const [rejected, setRejected] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  /** Returns whether the values were accepted. */
  const onSubmit = async (event: SubmitEvent): Promise<boolean> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (isBusy) return false;
    setIsBusy(true);
    setReasons([]);
    setRejected([]);
    try {
      await submit(new FormData(form));
      if (clears) form.reset();
      return true;
    } catch (error) {
      const reasons = reasonsOf(error);
      setReasons(reasons);
      const fields = reasons.map((each) => fieldOf(form, each)).filter((name) => name !== null);
      setRejected(fields);
      const [first] = fields;
      const invalid = first === undefined ? null : form.elements.namedItem(first);
      if (invalid instanceof HTMLElement) invalid.focus();
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { reasons, rejected, isBusy, onSubmit };
}

/**
 * A form whose inputs keep their own values. Reasons of a rejected change are listed above the
 * buttons, and the first field that caused one gets the focus.
 * @param props.submit gets the values by the names of the inputs; errors that it throws are shown
 * @param props.label name of the form for screen readers
 * @param props.isReadOnly disables all inputs and hides the buttons
 * @param props.clears empties the form after it was submitted
 * @param props.isGuarded asks before the user leaves the page with changes that are not saved
 */
export function Form({
  label,
  submitText,
  submit,
  isReadOnly = false,
  clears = false,
  isGuarded = true,
  buttons,
  children,
}: {
  label: string;
  submitText: string;
  submit: (values: FormData) => Promise<void>;
  isReadOnly?: boolean;
  clears?: boolean;
  isGuarded?: boolean;
  /** Buttons before the one that submits. */
  buttons?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { reasons, rejected, isBusy, onSubmit } = useSubmit(submit, clears);
  const unsaved = useUnsavedChanges(isGuarded && !isReadOnly);
  const submitOnce = async (event: SubmitEvent): Promise<void> => {
    unsaved.pause();
    unsaved.resume(await onSubmit(event));
  };
  const form = (
    <form
      ref={unsaved.form}
      class="form"
      aria-label={label}
      onFocusIn={unsaved.onUse}
      onPointerDown={unsaved.onUse}
      onSubmit={(event) => void submitOnce(event)}
    >
      <RejectedFields.Provider value={rejected}>
        <fieldset class="form-fields" disabled={isReadOnly}>
          {children}
        </fieldset>
      </RejectedFields.Provider>
      <div class="problem" role="alert">
        {reasons.map(({ message }) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      {isReadOnly ? null : (
        <div class="form-buttons">
          {buttons}
          <Button type="submit" class="button primary" isDisabled={isBusy}>
            {submitText}
          </Button>
        </div>
      )}
    </form>
  );
  if (!isGuarded) return form;
  return (
    <>
      {form}
      <ConfirmDialog
        dialog={unsaved.dialog}
        text="Your changes are not saved. Leave the page?"
        confirmText="Leave without saving"
        closeText="Stay"
        onConfirm={unsaved.leave}
      />
    </>
  );
}

/**
 * A text input of a form.
 * @param props.name path of the field in the input of the mutation: `detail.name`
 * @param props.value initial value
 * @param props.isFocused moves the focus to it when it appears
 */
export function TextField({
  label,
  name,
  value = '',
  isPassword = false,
  isRequired = false,
  isFocused = false,
  maxLength,
  autocomplete = 'off',
}: {
  label: string;
  name: string;
  value?: string | null;
  isPassword?: boolean;
  isRequired?: boolean;
  isFocused?: boolean;
  maxLength?: number;
  autocomplete?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, []);
  const attributes = {
    ref: input,
    name,
    defaultValue: value ?? '',
    required: isRequired,
    maxLength,
    autocomplete,
    'aria-invalid': useInvalid(name),
  };
  return (
    <Field label={label}>
      {isPassword ? (
        <input type="password" {...attributes} />
      ) : (
        <input type="text" {...attributes} />
      )}
    </Field>
  );
}

/** An input of a form for a text with several lines. */
export function TextAreaField({
  label,
  name,
  value = '',
  rows = 4,
}: {
  label: string;
  name: string;
  value?: string;
  rows?: number;
}) {
  const isInvalid = useInvalid(name);
  return (
    <Field label={label}>
      <textarea name={name} defaultValue={value} rows={rows} aria-invalid={isInvalid} />
    </Field>
  );
}

/** The code of an authenticator app, or a recovery code. */
export function CodeField({ isFocused = false }: { isFocused?: boolean }) {
  return (
    <TextField
      label="Code of your app, or a recovery code"
      name="code"
      autocomplete="one-time-code"
      isRequired
      isFocused={isFocused}
    />
  );
}

/** A menu of a form. */
export function SelectField({
  label,
  name,
  value,
  options,
  isRequired = false,
}: {
  label: string;
  name: string;
  value: string;
  options: readonly Option[];
  isRequired?: boolean;
}) {
  const isInvalid = useInvalid(name);
  return (
    <Field label={label}>
      <select name={name} required={isRequired} aria-invalid={isInvalid}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </Field>
  );
}
