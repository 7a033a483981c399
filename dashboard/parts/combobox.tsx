import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { toFailure } from '../api/failure';
import { MAX_SEARCH_LENGTH, SEARCH_DELAY_MS } from './fields';
import type { Option } from './fields';
import { useInvalid } from './form';

/** Finds the options for a typed text. */
export type OptionSearch = (text: string, signal: AbortSignal) => Promise<readonly Option[]>;

interface ComboboxProps {
  readonly label: string;
  /** Name of the value in the form. */
  readonly name: string;
  /** The selected option at first. */
  readonly value?: Option | null;
  /** Must always be the same function while the options do not change. */
  readonly search: OptionSearch;
  readonly isRequired?: boolean;
  readonly onSelect?: (option: Option | null) => void;
}

interface SearchResults<Result> {
  /** The text for which they were loaded. */
  readonly text: string;
  /** Null until they are loaded. */
  readonly results: readonly Result[] | null;
  readonly failure: string | null;
}

/** The results for the typed text, once it has not changed for a while. */
export function useSearchResults<Result>(
  search: (text: string, signal: AbortSignal) => Promise<readonly Result[]>,
  text: string,
  isOpen: boolean,
): SearchResults<Result> {
  const [state, setState] = useState<SearchResults<Result>>({
    text: '',
    results: null,
    failure: null,
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const controller = new AbortController();
    const load = (): void => {
      search(text, controller.signal).then(
        (results) => {
          if (!controller.signal.aborted) setState({ text, results, failure: null });
        },
        (error: unknown) => {
          if (!controller.signal.aborted)
            setState({ text, results: null, failure: toFailure(error).message });
        },
      );
    };
    const timer = setTimeout(load, text === '' ? 0 : SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [search, text, isOpen]);
  return state;
}

/** The state of a combobox: null for `typed` shows the selected option. */
function useCombobox({ value = null, search, onSelect }: ComboboxProps) {
  const [selected, setSelected] = useState<Option | null>(value);
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const { results: options, failure } = useSearchResults(search, (typed ?? '').trim(), isOpen);
  useEffect(() => setActive(typed ? 0 : -1), [options]);

  const close = (): void => {
    setIsOpen(false);
    setTyped(null);
  };
  const select = (option: Option | null): void => {
    setSelected(option);
    onSelect?.(option);
    close();
  };
  const move = (by: number): void => {
    const count = options?.length ?? 0;
    if (!isOpen) setIsOpen(true);
    else if (count > 0) setActive((active + by + count) % count);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const option = isOpen ? options?.[active] : undefined;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(active < 0 ? 0 : -1);
    else if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'Enter' && option !== undefined) select(option);
    else return;
    // Neither submits the form nor closes its dialog.
    event.preventDefault();
  };
  const type = (text: string): void => {
    setIsOpen(true);
    setTyped(text);
    if (text === '') {
      setSelected(null);
      onSelect?.(null);
    }
  };
  return {
    selected,
    typed,
    isOpen,
    active,
    options,
    failure,
    setIsOpen,
    close,
    select,
    type,
    onKeyDown,
  };
}

/** Returns the id of an option of a list. */
export const optionId = (listId: string, at: number): string => `${listId}-${at}`;

function OptionList({
  id,
  label,
  box: { options, active, isOpen, select },
}: {
  id: string;
  label: string;
  box: ReturnType<typeof useCombobox>;
}) {
  useEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <ul id={id} class="combobox-list" role="listbox" aria-label={label} hidden={!isOpen}>
      {(options ?? []).map((option, at) => (
        <li
          key={option.value}
          id={optionId(id, at)}
          role="option"
          aria-selected={at === active}
          // Keeps the focus in the input.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => select(option)}
        >
          <bdi>{option.text}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** A field of a form that selects one of many records, which are searched while the user types. */
export function Combobox(props: ComboboxProps) {
  const { label, name, isRequired = false } = props;
  const [inputId, listId] = [useId(), useId()];
  const input = useRef<HTMLInputElement>(null);
  const isInvalid = useInvalid(name);
  const box = useCombobox(props);
  const { selected, options, active, isOpen } = box;
  const note = box.failure ?? (options?.length === 0 ? 'No matches' : null);
  return (
    <div class="field combobox">
      <label class="field-label" for={inputId}>
        {label}
      </label>
      <input
        ref={input}
        id={inputId}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen && active >= 0 ? optionId(listId, active) : undefined}
        aria-required={isRequired ? true : undefined}
        aria-invalid={isInvalid}
        placeholder="Type to search"
        maxLength={MAX_SEARCH_LENGTH}
        value={box.typed ?? selected?.text ?? ''}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={() => box.setIsOpen(true)}
        onInput={({ currentTarget }) => box.type(currentTarget.value)}
        onKeyDown={box.onKeyDown}
        onBlur={box.close}
      />
      {/* Carries the value, and hands the focus on if the form rejects it. */}
      <input
        class="unseen"
        name={name}
        value={selected?.value ?? ''}
        required={isRequired}
        tabIndex={-1}
        aria-hidden="true"
        onFocus={() => input.current?.focus()}
      />
      <OptionList id={listId} label={label} box={box} />
      <span class="combobox-note" role="status">
        {isOpen ? note : null}
      </span>
    </div>
  );
}
