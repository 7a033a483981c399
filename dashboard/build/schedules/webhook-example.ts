interface Variable {
  readonly name: string;
  readonly type: string;
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  number: 1.5,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

/** Puts an example at a path of names and list positions: `ticket.tags[0]`. */
function addExample(body: Record<string, unknown>, { name, type }: Variable): void {
  const parts = name
    .replaceAll(/\[[^\]]*\]/g, '.[]')
    .split('.')
    .filter(Boolean);
  let holder: Record<string, unknown> = body;
  parts.forEach((part, at) => {
    const key = part === '[]' ? '0' : part;
    const next = parts[at + 1];
    const present = holder[key];
    if (next === undefined) {
      // `${ticket}` next to `${ticket.id}` is the object that has an id.
      if (typeof present !== 'object' || present === null) holder[key] = EXAMPLES[type] ?? 'text';
      return;
    }
    const inner =
      typeof present === 'object' && present !== null ? present : next === '[]' ? [] : {};
    holder[key] = inner;
    holder = inner as Record<string, unknown>;
  });
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a command that calls a webhook, with an example for each parameter of the workflow. */
export function curlOf(url: string, variables: readonly Variable[]): string {
  const body: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const variable of variables) addExample(body, variable);
  return [
    `curl -X POST ${quoteForShell(url)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoteForShell(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}
