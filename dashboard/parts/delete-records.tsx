import type { ComponentChildren } from 'preact';
import { href } from '../router';
import { formatQuantity } from './format';
import { FormDialog } from './form-dialog';
import { notify } from './notices';

/** Workflows that use a record: the first ones, and how many there are. */
export interface Users {
  readonly totalCount: number;
  readonly nodes: readonly { readonly databaseId: number; readonly title: string }[];
}

/** All workflows that use a record; null if the user may not read them. */
export const usersOf = (workflows: Users['nodes'] | null | undefined): Users | null =>
  workflows == null ? null : { totalCount: workflows.length, nodes: workflows };

/** The workflows that use a record, each with a link. */
export function UserList({ users: { totalCount, nodes } }: { users: Users }) {
  if (totalCount === 0) return <p class="quiet">No workflow uses it.</p>;
  return (
    <ul class="user-list" aria-label="Used by">
      {nodes.map(({ databaseId, title }) => (
        <li key={databaseId}>
          <a href={href(`workflows/${databaseId}`)}>
            <bdi>{title}</bdi>
          </a>
        </li>
      ))}
      {totalCount > nodes.length ? (
        <li class="quiet">and {formatQuantity(totalCount - nodes.length, 'other', 'others')}</li>
      ) : null}
    </ul>
  );
}

function ForceBox({ text, isRequired = false }: { text: string; isRequired?: boolean }) {
  return (
    <label class="check">
      <input type="checkbox" name="force" required={isRequired} /> {text}
    </label>
  );
}

/**
 * A button of a selection that deletes its rows after a question.
 * @param props.nouns singular and plural of the rows: `connector`, `connectors`
 * @param props.forceText offers to delete rows that are in use as well
 */
export function DeleteSelected({
  count,
  nouns,
  forceText,
  remove,
}: {
  count: number;
  nouns: readonly [string, string];
  forceText?: string;
  remove: (force: boolean) => Promise<void>;
}) {
  const quantity = formatQuantity(count, ...nouns);
  const submit = async (values: FormData): Promise<void> => {
    await remove(values.has('force'));
    notify(`Deleted ${quantity}.`);
  };
  return (
    <FormDialog icon="cross" text="Delete" title={`Delete ${quantity}`} submit={submit}>
      <p>Delete {quantity}? This cannot be undone.</p>
      {forceText === undefined ? null : <ForceBox text={forceText} />}
    </FormDialog>
  );
}

/**
 * A button that deletes a record after a question, which lists what uses the record.
 * @param props.noun kind of the record: `connector`
 * @param props.users null if the user may not read them, or if there is nothing to list
 * @param props.forceText what happens to what uses the record, as the text of a checkbox
 */
export function DeleteRecord({
  noun,
  name,
  users = null,
  forceText,
  remove,
  children,
}: {
  noun: string;
  name: string;
  users?: Users | null;
  forceText?: string;
  remove: (force: boolean) => Promise<void>;
  children?: ComponentChildren;
}) {
  const isUsed = users !== null && users.totalCount > 0;
  return (
    <FormDialog
      icon="cross"
      text={`Delete ${noun}`}
      submit={(values) => remove(values.has('force'))}
    >
      <p>
        Delete the {noun} <bdi>{name}</bdi>? This cannot be undone.
      </p>
      {isUsed ? (
        <div class="wide-field">
          <p>{formatQuantity(users.totalCount, 'workflow uses', 'workflows use')} it:</p>
          <UserList users={users} />
        </div>
      ) : null}
      {children}
      {forceText === undefined || (users !== null && !isUsed) ? null : (
        <ForceBox text={forceText} isRequired={isUsed} />
      )}
    </FormDialog>
  );
}
