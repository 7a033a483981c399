import { useState } from 'preact/hooks';
import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { LdapConfigDocument, TestLdapDocument } from '../generated/operations';
import type { TestLdapMutation } from '../generated/operations';
import { Form, TextField, textOf, throwUserErrors } from '../parts/form';
import { Icon } from '../parts/icon';
import { MissingSettings } from '../parts/missing-settings';
import { Card } from '../parts/page';
import { QueryContent } from '../parts/states';

type Result = NonNullable<TestLdapMutation['ldapTest']['result']>;

function Stages({ result: { isSuccessful, messages } }: { result: Result }) {
  return (
    <ol class="stages" aria-label="Stages">
      {messages.map(({ title, text }, at) => {
        // The last stage is the one that failed.
        const isOk = isSuccessful || at < messages.length - 1;
        return (
          <li key={title}>
            <span class={`state state-${isOk ? 'succeeded' : 'failed'}`}>
              <Icon name={isOk ? 'check' : 'cross'} size={13} />
              {title}
            </span>{' '}
            <bdi dir="ltr">{text}</bdi>
          </li>
        );
      })}
    </ol>
  );
}

/** Tests the configured LDAP directory, stage by stage. */
export function LdapTestCard() {
  const query = useQuery(LdapConfigDocument, {});
  const [result, setResult] = useState<Result | null>(null);
  const test = async (values: FormData): Promise<void> => {
    setResult(null);
    const { ldapTest } = await request(TestLdapDocument, { email: textOf(values, 'email') });
    throwUserErrors(ldapTest.userErrors);
    setResult(ldapTest.result);
  };
  return (
    <Card title="LDAP directory">
      <QueryContent query={query} name="the LDAP directory" rows={2}>
        {({ ldapConfig: { urls } }) =>
          urls === '' ? (
            <MissingSettings
              text="No directory is configured."
              keys={['spring.security.ldap.urls']}
            />
          ) : (
            <>
              <p class="quiet">
                <bdi dir="ltr">{urls}</bdi>
              </p>
              <Form
                label="Test the LDAP directory"
                submitText="Test"
                submit={test}
                isGuarded={false}
              >
                <TextField label="E-mail of a user to look up (optional)" name="email" />
              </Form>
              <div role="status">{result === null ? null : <Stages result={result} />}</div>
            </>
          )
        }
      </QueryContent>
    </Card>
  );
}
