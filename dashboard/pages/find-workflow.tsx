import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAsked } from '../api/hooks';
import { WorkflowTitlesDocument } from '../generated/operations';
import type { WorkflowFilter, WorkflowTitlesQuery } from '../generated/operations';
import { LONGEST } from '../parts/choice';
import { count } from '../parts/format';

type Titled = WorkflowTitlesQuery['workflows']['nodes'][number];

/** Delay after the last keystroke before the search, ms. */
const TYPING_MS = 300;

/** Titles are not unique. */
const textOf = ({ databaseId, title }: Titled): string => `${title} #${databaseId}`;
const titleIn = (text: string): string => text.replace(/ #\d*$/, '').trim();

function filterOf(title: string, workflow: string | null): WorkflowFilter {
  if (title !== '') return { title: { contains: title } };
  return workflow === null ? {} : { id: { eq: workflow } };
}

/** Selects one workflow by a part of its title. */
export function FindWorkflow({
  workflow,
  choose,
}: {
  workflow: string | null;
  choose: (workflow: string | null) => void;
}) {
  const [field, list] = [useId(), useId()];
  /** Null shows the selected workflow. */
  const [typed, setTyped] = useState<string | null>(null);
  const [done, setDone] = useState(false);
  const [title, setTitle] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTitle(titleIn(typed ?? '')), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, failure, loading } = useAsked(WorkflowTitlesDocument, {
    filter: filterOf(title, workflow),
  });
  const found = data?.workflows.nodes ?? [];
  // Keeps the title while it is reloaded.
  const known = useRef<Titled | undefined>(undefined);
  const isIt = ({ databaseId }: Titled): boolean => String(databaseId) === workflow;
  const chosen =
    found.find(isIt) ??
    (data === null && failure === null && known.current !== undefined && isIt(known.current)
      ? known.current
      : undefined);
  known.current = chosen ?? known.current;
  const matches =
    typed === null || loading || title === '' || title !== titleIn(typed)
      ? null
      : (data?.workflows ?? null);
  const only = matches?.totalCount === 1 ? matches.nodes[0] : undefined;

  const take = (id: string | null): void => {
    setTyped(null);
    choose(id);
  };
  // The selection also changes by links and browser history.
  useEffect(() => setTyped(null), [workflow]);
  // The input may be complete before the result arrives.
  useEffect(() => {
    if (done && only !== undefined) take(String(only.databaseId));
  }, [done, only?.databaseId]);
  const end = (): void => {
    setDone(true);
    if (titleIn(typed ?? '') === '') setTyped(null);
  };
  const hear = (text: string): void => {
    setDone(false);
    const picked = found.find((each) => textOf(each) === text);
    if (picked !== undefined) take(String(picked.databaseId));
    else if (text === '') take(null);
    else setTyped(text);
  };
  const shown =
    chosen === undefined
      ? workflow === null || data === null
        ? ''
        : `#${workflow}`
      : textOf(chosen);
  const note =
    !done || matches === null || only !== undefined
      ? null
      : matches.totalCount === 0
        ? 'No matches'
        : `Choose one of ${count(matches.totalCount)}`;
  return (
    <div class="field">
      <span class="field-line">
        <label for={field}>Workflow</label>
        <span class="warn" role="status">
          {note}
        </span>
      </span>
      <input
        id={field}
        type="search"
        list={list}
        value={typed ?? shown}
        maxLength={LONGEST}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onInput={({ currentTarget }) => hear(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') end();
        }}
        onBlur={end}
      />
      <datalist id={list}>
        {found.map((each) => (
          <option key={each.databaseId} value={textOf(each)} />
        ))}
      </datalist>
    </div>
  );
}
