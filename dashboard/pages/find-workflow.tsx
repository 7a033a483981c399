import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAsked } from '../api/hooks';
import { WorkflowTitlesDocument } from '../generated/operations';
import type { WorkflowFilter, WorkflowTitlesQuery } from '../generated/operations';

type Titled = WorkflowTitlesQuery['workflows']['nodes'][number];

/** Who types is waited for so long, ms. */
const TYPING_MS = 300;

/** Titles are not unique. */
const textOf = ({ databaseId, title }: Titled): string => `${title} #${databaseId}`;
const titleIn = (text: string): string => text.replace(/ #\d*$/, '').trim();

function filterOf(title: string, workflow: string | null): WorkflowFilter {
  if (title !== '') return { title: { contains: title } };
  return workflow === null ? {} : { id: { eq: workflow } };
}

/** One workflow of however many, found by a part of its title. */
export function FindWorkflow({ workflow, choose }: { workflow: string | null; choose: (workflow: string | null) => void }) {
  const list = useId();
  /** Null: what is chosen stands there. */
  const [typed, setTyped] = useState<string | null>(null);
  const [title, setTitle] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTitle(titleIn(typed ?? '')), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, loading } = useAsked(WorkflowTitlesDocument, { filter: filterOf(title, workflow) });
  const found = data?.workflows.nodes ?? [];
  // Its title stays while it is asked for anew.
  const known = useRef<Titled | undefined>(undefined);
  const isIt = ({ databaseId }: Titled): boolean => String(databaseId) === workflow;
  const chosen = found.find(isIt) ?? (data === null && known.current !== undefined && isIt(known.current) ? known.current : undefined);
  known.current = chosen ?? known.current;
  const [only, ...others] = typed === null || loading || title === '' || title !== titleIn(typed) ? [] : found;

  const take = (id: string | null): void => {
    setTyped(null);
    choose(id);
  };
  const takeOnly = (): boolean => {
    if (only === undefined || others.length > 0) return false;
    take(String(only.databaseId));
    return true;
  };
  const hear = (text: string): void => {
    const picked = found.find((each) => textOf(each) === text);
    if (picked !== undefined) take(String(picked.databaseId));
    else if (text === '') take(null);
    else setTyped(text);
  };
  const shown = chosen === undefined ? (workflow === null || data === null ? '' : `#${workflow}`) : textOf(chosen);
  return (
    <label class="field">Workflow
      <input type="search" list={list} value={typed ?? shown} maxLength={200} onFocus={({ currentTarget }) => currentTarget.select()} onInput={({ currentTarget }) => hear(currentTarget.value)}
        onKeyDown={({ key }) => { if (key === 'Enter') takeOnly(); }} onBlur={() => { if (!takeOnly()) setTyped(null); }} />
      <datalist id={list}>{found.map((each) => <option key={each.databaseId} value={textOf(each)} />)}</datalist>
    </label>
  );
}
