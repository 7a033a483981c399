import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { ConfirmDialog } from './action';
import { Button } from './button';
import { Field } from './fields';
import type { Option } from './fields';
import { RequestId } from './request-id';
import { useSubmit } from './submission';
import { useUnsavedChanges } from './unsaved-changes';

export { Rejected, throwUserErrors } from './submission';

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

/** Names of the fields that the service rejected. */
const RejectedFields = createContext<readonly string[]>([]);

/** Returns `aria-invalid` of a field. */
export const useInvalid = (name: string): true | undefined =>
  useContext(RejectedFields).includes(name) ? true : undefined;

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
  status,
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
  /** Shown above the buttons. */
  status?: ComponentChildren;
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
        {reasons.map(({ message, requestId = null }) => (
          <p key={message}>
            {message}
            <RequestId id={requestId} />
          </p>
        ))}
      </div>
      {status}
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
  value,
  isPassword = false,
  isNumber = false,
  isRequired = false,
  isFocused = false,
  maxLength,
  autocomplete = 'off',
  placeholder,
  hint,
}: {
  label: string;
  name: string;
  value?: string | null | undefined;
  isPassword?: boolean;
  isNumber?: boolean;
  isRequired?: boolean;
  isFocused?: boolean;
  maxLength?: number;
  autocomplete?: string;
  placeholder?: string | undefined;
  hint?: string | null | undefined;
}) {
  const hintId = useId();
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
    placeholder,
    'aria-invalid': useInvalid(name),
    'aria-describedby': hint ? hintId : undefined,
  };
  return (
    <Field label={label} hint={hint} hintId={hintId}>
      {isPassword ? (
        <input type="password" {...attributes} />
      ) : isNumber ? (
        <input type="number" min={0} step="any" {...attributes} />
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
  isRequired = false,
  isCode = false,
  hint,
}: {
  label: string;
  name: string;
  value?: string;
  rows?: number;
  isRequired?: boolean;
  isCode?: boolean;
  hint?: string | undefined;
}) {
  const isInvalid = useInvalid(name);
  const hintId = useId();
  return (
    <Field label={label} hint={hint} hintId={hintId}>
      <textarea
        name={name}
        class={isCode ? 'code' : undefined}
        defaultValue={value}
        rows={rows}
        required={isRequired}
        spellcheck={!isCode}
        aria-invalid={isInvalid}
        aria-describedby={hint ? hintId : undefined}
      />
    </Field>
  );
}

/** A checkbox of a form. */
export function CheckField({
  label,
  name,
  isChecked = false,
}: {
  label: string;
  name: string;
  isChecked?: boolean;
}) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isChecked} /> {label}
    </label>
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
