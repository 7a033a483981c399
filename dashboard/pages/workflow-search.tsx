import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useQuery } from '../api/hooks';
import { WorkflowTitlesDocument } from '../generated/operations';
import type { WorkflowFilter, WorkflowTitlesQuery } from '../generated/operations';
import { MAX_SEARCH_LENGTH, useDebounced } from '../parts/fields';
import { formatNumber } from '../parts/format';

type Page = WorkflowTitlesQuery['workflows'];
type Workflow = Page['nodes'][number];

/** Titles are not unique. */
const textOf = ({ databaseId, title }: Workflow): string => `${title} #${databaseId}`;
const titleIn = (text: string): string => text.replace(/ #\d*$/, '').trim();

function filterOf(title: string, id: string | null): WorkflowFilter {
  if (title !== '') return { title: { contains: title } };
  return id === null ? {} : { id: { eq: id } };
}

interface FoundWorkflows {
  /** Suggestions for the typed text. */
  readonly suggestions: readonly Workflow[];
  /** Text of the selected workflow; empty while it is loading. */
  readonly selectedText: string;
  /** The workflows that match the typed text, or null while it is not known. */
  readonly matches: Page | null;
}

/** Finds workflows by a typed text, null if nothing was typed, and the selected one. */
function useWorkflows(typed: string | null, selectedId: string | null): FoundWorkflows {
  const typedTitle = titleIn(typed ?? '');
  const title = useDebounced(typedTitle);
  const { data, failure, loading } = useQuery(WorkflowTitlesDocument, {
    filter: filterOf(title, selectedId),
  });
  const suggestions = data?.workflows.nodes ?? [];
  // Keeps the title while it is reloaded.
  const lastSelected = useRef<Workflow | undefined>(undefined);
  const isSelected = ({ databaseId }: Workflow): boolean => String(databaseId) === selectedId;
  const isReloading = data === null && failure === null;
  const previous =
    isReloading && lastSelected.current !== undefined && isSelected(lastSelected.current)
      ? lastSelected.current
      : undefined;
  const selected = suggestions.find(isSelected) ?? previous;
  lastSelected.current = selected ?? lastSelected.current;
  const fallback = selectedId === null || data === null ? '' : `#${selectedId}`;
  const isOutdated = typed === null || loading || title === '' || title !== typedTitle;
  return {
    suggestions,
    selectedText: selected === undefined ? fallback : textOf(selected),
    matches: isOutdated ? null : (data?.workflows ?? null),
  };
}

function noteOf(matches: Page | null): string | null {
  if (matches === null || matches.totalCount === 1) return null;
  return matches.totalCount === 0
    ? 'No matches'
    : `Choose one of ${formatNumber(matches.totalCount)}`;
}

/** The state of the input: null for `typed` shows the selected workflow. */
function useWorkflowInput(selectedId: string | null, onSelect: (id: string | null) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { suggestions, selectedText, matches } = useWorkflows(typed, selectedId);
  const onlyMatch = matches?.totalCount === 1 ? matches.nodes[0] : undefined;

  const select = (id: string | null): void => {
    setTyped(null);
    onSelect(id);
  };
  // The selection also changes by links and browser history.
  useEffect(() => setTyped(null), [selectedId]);
  // The input may be submitted before the result arrives.
  useEffect(() => {
    if (isSubmitted && onlyMatch !== undefined) select(String(onlyMatch.databaseId));
  }, [isSubmitted, onlyMatch?.databaseId]);

  return {
    suggestions,
    text: typed ?? selectedText,
    note: isSubmitted ? noteOf(matches) : null,
    type: (text: string): void => {
      setIsSubmitted(false);
      const suggestion = suggestions.find((each) => textOf(each) === text);
      if (suggestion !== undefined) select(String(suggestion.databaseId));
      else if (text === '') select(null);
      else setTyped(text);
    },
    submit: (): void => {
      setIsSubmitted(true);
      if (titleIn(typed ?? '') === '') setTyped(null);
    },
  };
}

/** Selects one workflow by a part of its title. */
export function WorkflowSearch({
  workflow,
  onSelect,
}: {
  workflow: string | null;
  onSelect: (workflow: string | null) => void;
}) {
  const [inputId, listId] = [useId(), useId()];
  const { suggestions, text, note, type, submit } = useWorkflowInput(workflow, onSelect);
  return (
    <div class="field">
      <span class="field-line">
        <label for={inputId}>Workflow</label>
        <span class="warn" role="status">
          {note}
        </span>
      </span>
      <input
        id={inputId}
        type="search"
        list={listId}
        value={text}
        maxLength={MAX_SEARCH_LENGTH}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') submit();
        }}
        onBlur={submit}
      />
      <datalist id={listId}>
        {suggestions.map((each) => (
          <option key={each.databaseId} value={textOf(each)} />
        ))}
      </datalist>
    </div>
  );
}
