import { useState } from 'preact/hooks';
import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { AccountTokensDocument, CreateApiTokenDocument } from '../generated/operations';
import type { AccountQuery } from '../generated/operations';
import { Button } from '../parts/button';
import { CopyText } from '../parts/copy-text';
import { checkedValues, SelectField, TextField, textOf, throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { GrantTable } from '../parts/grant-table';
import { Card } from '../parts/page';
import { QueryContent } from '../parts/states';
import { TokenTable } from './token-table';

type HeldGrant = AccountQuery['me']['can'][number];

interface NewToken {
  readonly name: string;
  readonly token: string;
}

const EXPIRIES = [
  { value: '7', text: '7 days' },
  { value: '30', text: '30 days' },
  { value: '90', text: '90 days' },
  { value: '365', text: '365 days' },
];

const ACTIONS = ['CREATE', 'READ', 'UPDATE', 'DELETE'];
const ADMIN_SCOPE = 'admin';

/** The scopes that a user can select: only what they may do themselves. */
function ScopeFields({ grants, isAdmin }: { grants: readonly HeldGrant[]; isAdmin: boolean }) {
  const held = new Set(grants.map(({ component, action }) => `${component}:${action}`));
  const names = [...new Set(grants.map(({ component }) => component))];
  return (
    <>
      {names.length === 0 ? null : (
        <GrantTable
          label="Scopes"
          name="scopes"
          components={names.map((name) => ({ name }))}
          permissions={ACTIONS}
          granted={new Set()}
          isOffered={(grant) => held.has(grant)}
        />
      )}
      {isAdmin ? (
        <label class="check">
          <input type="checkbox" name="scopes" value={ADMIN_SCOPE} />
          Operations that need the group Admin
        </label>
      ) : null}
    </>
  );
}

/** The text of a token that was just created. */
function CreatedToken({ created, onDone }: { created: NewToken; onDone: () => void }) {
  return (
    <div class="created-token" role="group" aria-label="New API token">
      <p>
        The token <bdi>{created.name}</bdi> was created. Copy it now: it is not shown again.
      </p>
      <CopyText label="Token" text={created.token} />
      <Button class="button quiet-button" onClick={onDone}>
        Done
      </Button>
    </div>
  );
}

/** API tokens of the signed-in user. */
export function TokenCard({ grants, isAdmin }: { grants: readonly HeldGrant[]; isAdmin: boolean }) {
  const query = useQuery(AccountTokensDocument, {});
  const [created, setCreated] = useState<NewToken | null>(null);
  const create = async (values: FormData): Promise<void> => {
    const { apiTokenCreate } = await request(CreateApiTokenDocument, {
      input: {
        name: textOf(values, 'name'),
        scopes: checkedValues(values, 'scopes'),
        expiresInDays: Number(values.get('expiresInDays')),
      },
    });
    const { apiToken, token, userErrors } = apiTokenCreate;
    throwUserErrors(userErrors);
    if (apiToken && token !== null) setCreated({ name: apiToken.name, token });
    query.reload();
  };
  return (
    <Card
      title="API tokens"
      aside={
        <FormDialog
          icon="plus"
          text="New token"
          title="New API token"
          submitText="Create token"
          isWide
          submit={create}
        >
          <TextField label="Name" name="name" maxLength={100} isRequired />
          <SelectField label="Expires in" name="expiresInDays" value="90" options={EXPIRIES} />
          <ScopeFields grants={grants} isAdmin={isAdmin} />
        </FormDialog>
      }
    >
      {created === null ? null : <CreatedToken created={created} onDone={() => setCreated(null)} />}
      <QueryContent query={query} name="API tokens" rows={2}>
        {({ myApiTokens }) => <TokenTable tokens={myApiTokens} canRevoke onRevoke={query.reload} />}
      </QueryContent>
    </Card>
  );
}
