import { useEffect, useRef, useState } from 'preact/hooks';

export interface Option {
  readonly value: string;
  readonly text: string;
}

/** Selects one of a few options, shown as buttons in a row. */
export function Segments({
  label,
  value,
  options,
  choose,
}: {
  label: string;
  value: string;
  options: readonly Option[];
  choose: (value: string) => void;
}) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => choose(option.value)}
        >
          {option.text}
        </button>
      ))}
    </div>
  );
}

export function Choice({
  label,
  value,
  options,
  choose,
}: {
  label: string;
  value: string;
  options: readonly Option[];
  choose: (value: string) => void;
}) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Delay after the last keystroke before the search, ms. */
const TYPING_MS = 300;

export const LONGEST = 200;

/** Returns the search text of a URL within the limits of the input. */
export const wanted = (text: string | null): string =>
  [...(text ?? '').trim()].slice(0, LONGEST).join('');

export function Find({
  label,
  value,
  find,
}: {
  label: string;
  value: string;
  find: (text: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    // The URL changed by a link or the browser history.
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = typed;
      find(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label class="field">
      {label}
      <input
        type="search"
        value={typed}
        maxLength={LONGEST}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </label>
  );
}
