import { NotFound } from '../../../platform/errors/errors';

/** The run of an element and the sequence of the event it begins with. */
export interface ElementPlace {
  readonly runId: number;
  /** 0: the run itself; 1: its flowchart. */
  readonly sequence: number;
}

export const elementNotFound = (id: string, path: 'id' | 'parentId' | 'after' = 'id'): NotFound =>
  new NotFound(
    'LOG_ELEMENT_NOT_FOUND',
    `There is no element ${id.slice(0, 30)} in the log of a run.`,
    { path: [path] },
  );

/** `4711-3`; for the run itself, its id. */
export const elementIdOf = ({ runId, sequence }: ElementPlace): string =>
  sequence === 0 ? String(runId) : `${runId}-${sequence}`;

const FORM = /^([1-9]\d{0,9})(?:-([1-9]\d{0,9}))?$/;

/** @throws NotFound LOG_ELEMENT_NOT_FOUND if it is not the id of an element */
export function readElementId(id: string, path?: 'id' | 'parentId' | 'after'): ElementPlace {
  const [, runId, sequence = '0'] = FORM.exec(id) ?? [];
  if (runId === undefined) throw elementNotFound(id, path);
  return { runId: Number(runId), sequence: Number(sequence) };
}
