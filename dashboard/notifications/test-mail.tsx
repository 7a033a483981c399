import { request } from '../api/request';
import { currentUser } from '../current-user';
import { TestMailDocument } from '../generated/operations';
import { TextField, textOf, throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { notify } from '../parts/notices';

/** Sends a mail to test the mail server. The list of messages shows the result. */
export function TestMail({ onSent }: { onSent: () => void }) {
  const send = async (values: FormData): Promise<void> => {
    const { mailTest } = await request(TestMailDocument, {
      recipient: textOf(values, 'recipient'),
    });
    throwUserErrors(mailTest.userErrors);
    notify('The test mail is sent. The list shows the result.');
    onSent();
  };
  return (
    <FormDialog icon="mail" text="Send a test mail" submitText="Send" submit={send}>
      <TextField
        label="Recipient"
        name="recipient"
        value={currentUser.value?.email ?? ''}
        maxLength={254}
        isRequired
      />
    </FormDialog>
  );
}
