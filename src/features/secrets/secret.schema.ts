import { z } from 'zod';
import { AnswerId, requiring } from '../../platform/http/scalars';

export const SecretBody = z
  .object({
    secretId: AnswerId,
    name: z.string(),
    note: z.string().nullable(),
    origins: z.array(z.string()).meta({ description: 'Where it may be sent to.' }),
    usedBy: z
      .array(z.object({ connectionId: AnswerId, title: z.string() }))
      .meta({ description: 'The workflows that name it.' }),
  })
  .meta({
    id: 'Secret',
    description: 'A value that steps use as `{%secret.NAME%}`. The value itself is never answered.',
  });

export const SecretList = z.array(SecretBody);

/** A change that a client sends; missing fields stay unchanged. */
export const SecretInput = z
  .object({
    name: z.string().nullish().meta({
      description:
        'A letter, then letters, digits, - and _; 64 characters at most. Unique without regard to case. One that workflows use keeps its name.',
    }),
    note: z
      .string()
      .nullish()
      .meta({ description: 'What it is for, for people; 1,000 characters at most.' }),
    value: z.string().nullish().meta({
      description: 'The secret itself, 8,192 characters at most. It is never answered.',
      format: 'password',
      writeOnly: true,
    }),
    origins: z.array(z.string()).nullish().meta({
      description:
        'Where it may be sent to, at least one: `http(s)://[*.]host[:port]` without a path. A leading `*.` takes all hosts below, and not the host itself; it may not stand before a public suffix such as `com` or `github.io`.',
    }),
  })
  .meta({ id: 'SecretInput' });

export const NewSecretInput = requiring(SecretInput, 'name', 'value', 'origins').meta({
  id: 'NewSecret',
});
