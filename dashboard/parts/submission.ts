import { useState } from 'preact/hooks';
import { toFailure } from '../api/failure';

/** A reason why a mutation changed nothing. `path` names the field of its input. */
interface UserError {
  readonly message: string;
  readonly path: readonly string[];
  /** Id of a request that failed as a whole. */
  readonly requestId?: string | null;
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

function reasonsOf(error: unknown): readonly UserError[] {
  if (error instanceof Rejected) return error.reasons;
  const { message, requestId } = toFailure(error);
  return [{ message, path: [], requestId }];
}

/**
 * Returns the name of the field that a reason is about, or null. Lists are one field, so the
 * position in a list is omitted: `recipients.0` is about `recipients`.
 */
function fieldOf(form: HTMLFormElement, { path }: UserError): string | null {
  const names = path.map((_part, at) => path.slice(0, at + 1).join('.'));
  return names.findLast((name) => form.elements.namedItem(name) !== null) ?? null;
}

/** Runs the submission of a form and keeps the reasons of a rejected one. */
export function useSubmit(submit: (values: FormData) => Promise<void>, clears: boolean) {
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
