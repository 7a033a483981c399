import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Option {
  readonly value: string;
  readonly text: string;
}

interface OptionsProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

/**
 * A control with its label above it. Labels of required controls have a mark.
 * @param props.hint shown below; the control names it: `aria-describedby={hintId}`
 */
export function Field({
  label,
  hint,
  hintId,
  children,
}: {
  label: string;
  hint?: string | null | undefined;
  hintId?: string;
  children: ComponentChildren;
}) {
  const field = (
    <label class="field">
      <span class="field-label">{label}</span>
      {children}
    </label>
  );
  if (!hint) return field;
  return (
    <div class="hinted-field">
      {field}
      <small id={hintId} class="quiet">
        {hint}
      </small>
    </div>
  );
}

/** Selects one of a few options, shown as buttons in a row. */
export function SegmentedControl({ label, value, options, onChange }: OptionsProps) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </button>
      ))}
    </div>
  );
}

/** Selects one of several options from a menu. */
export function Select({ label, value, options, onChange }: OptionsProps) {
  return (
    <Field label={label}>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Delay after the last keystroke before the search, ms. */
export const SEARCH_DELAY_MS = 300;

export const MAX_SEARCH_LENGTH = 200;

/** Returns the search text of a URL within the limits of the input. */
export const parseSearchText = (text: string | null): string =>
  [...(text ?? '').trim()].slice(0, MAX_SEARCH_LENGTH).join('');

/** Returns the text once it has not changed for a while. */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

/** A text to search for. `onSearch` is called when the user stops typing. */
export function SearchInput({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const searched = useRef(value);
  useEffect(() => {
    // The URL changed by a link or the browser history.
    if (value !== searched.current) setText(value);
    searched.current = value;
  }, [value]);
  useEffect(() => {
    if (text === searched.current) return undefined;
    const timer = setTimeout(() => {
      searched.current = text;
      onSearch(text);
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Field label={label}>
      <input
        type="search"
        value={text}
        maxLength={MAX_SEARCH_LENGTH}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Field>
  );
}
