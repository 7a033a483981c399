import { request } from '../../api/request';
import { NameVersionDocument, RestoreVersionDocument } from '../../generated/operations';
import { Action, throwUserError } from '../../parts/action';
import { TextField, textOf, throwUserErrors } from '../../parts/form';
import { FormDialog } from '../../parts/form-dialog';
import { notify } from '../../parts/notices';
import { editStorageKey } from '../edit-drafts';

interface Version {
  readonly number: number;
  readonly snapshotId: string;
  readonly comment: string | null;
  readonly current: boolean;
}

const MAX_COMMENT_LENGTH = 500;

const UNSAVED_NOTE =
  ' You have edits in the editor that are not saved. They stay there, and are applied to the restored version when you open the editor.';

const questionOf = (workflowId: string, number: number): string =>
  `Restore version ${number}? The workflow gets the content of this version. Later versions stay in the list, so you can go back.${
    sessionStorage.getItem(editStorageKey(workflowId)) === null ? '' : UNSAVED_NOTE
  }`;

/** Names a version and restores it. */
export function VersionActions({
  workflowId,
  expectedVersion,
  version: { number, snapshotId, comment, current },
  onChange,
}: {
  workflowId: string;
  expectedVersion: number;
  version: Version;
  onChange: () => void;
}) {
  const name = async (values: FormData): Promise<void> => {
    const { workflowVersionUpdate } = await request(NameVersionDocument, {
      input: { workflowId, snapshotId, comment: textOf(values, 'comment') || null },
    });
    throwUserErrors(workflowVersionUpdate.userErrors);
    onChange();
  };
  const restore = async (): Promise<void> => {
    const { workflowVersionSwitch } = await request(RestoreVersionDocument, {
      input: { workflowId, snapshotId, expectedVersion },
    });
    throwUserError(workflowVersionSwitch.userErrors);
    notify(`Version ${number} was restored.`);
    onChange();
  };
  return (
    <span class="version-actions">
      <FormDialog
        icon="edit"
        text="Name"
        label={`Name version ${number}`}
        submitText="Save name"
        isQuiet
        submit={name}
      >
        <TextField
          label="Name or comment"
          name="comment"
          value={comment ?? ''}
          maxLength={MAX_COMMENT_LENGTH}
        />
      </FormDialog>
      {current ? null : (
        <Action
          icon="undo"
          text="Restore"
          label={`Restore version ${number}`}
          isQuiet
          confirm={questionOf(workflowId, number)}
          run={restore}
        />
      )}
    </span>
  );
}
