type Fields = Record<string, unknown>;

/** What a mutation returns. */
interface Payload extends Fields {
  readonly userErrors: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[];
  }[];
}

interface List {
  readonly nodes: readonly Fields[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface Answer {
  readonly data?: Fields | null;
  readonly errors?: readonly { message: string; extensions: { code: string } }[];
}

/** The only codes that say that the session of a request is missing or has ended. */
const SIGNED_OUT = ['UNAUTHENTICATED', 'TOKEN_EXPIRED'];

/** A client without a library, for Node and browsers. Signs in, and again when its session ends. */
export class HyphaClient {
  private authorization: string | null = null;

  constructor(
    private readonly url: string,
    private readonly login: { readonly email: string; readonly password: string },
  ) {}

  /** Returns the data of an operation. With a file, `$file` is the variable of type `Upload!`. */
  async ask(query: string, variables: object = {}, file?: File): Promise<Fields> {
    this.authorization ??= await this.signIn();
    let answer = await this.send(query, variables, file);
    if (SIGNED_OUT.includes(answer.errors?.[0]?.extensions.code ?? '')) {
      this.authorization = await this.signIn();
      answer = await this.send(query, variables, file);
    }
    if (answer.errors || !answer.data) throw new Error(answer.errors?.[0]?.message);
    return answer.data;
  }

  /** Returns the payload of a mutation; throws what the user can correct. */
  async change(query: string, variables: object, file?: File): Promise<Fields> {
    const [payload] = Object.values(await this.ask(query, variables, file));
    return withoutUserErrors(payload as Payload);
  }

  /** All entries of a list. The query has `$after: String`, `nodes` and `pageInfo`. */
  async *entries(query: string): AsyncGenerator<Fields, void, undefined> {
    for (let after: string | null = null, isDone = false; !isDone;) {
      const [list] = Object.values(await this.ask(query, { after })) as [List];
      yield* list.nodes;
      after = list.pageInfo.endCursor;
      isDone = !list.pageInfo.hasNextPage;
    }
  }

  /** A wrong password is a user error, so that it is never mistaken for an ended session. */
  private async signIn(): Promise<string> {
    this.authorization = null;
    const { data } = await this.send(
      'mutation ($input: LoginInput!) { login(input: $input) { token userErrors { code path message retryAfter } } }',
      { input: this.login },
    );
    const { token } = withoutUserErrors(data?.login as Payload);
    return `Bearer ${String(token)}`;
  }

  private async send(query: string, variables: object, file?: File): Promise<Answer> {
    const headers: Record<string, string> = {
      Accept: 'application/graphql-response+json, application/json',
      // Multipart requests need a header that pages of other origins cannot send.
      'apollo-require-preflight': 'true',
      ...(this.authorization !== null && { Authorization: this.authorization }),
    };
    const operation = JSON.stringify({
      query,
      variables: file ? { ...variables, file: null } : variables,
    });
    const body = new FormData();
    if (file) {
      body.set('operations', operation);
      body.set('map', '{"0":["variables.file"]}');
      body.set('0', file);
    } else headers['Content-Type'] = 'application/json';
    const request = { method: 'POST', headers, body: file ? body : operation };
    return (await fetch(`${this.url}/graphql`, request)).json() as Promise<Answer>;
  }
}

function withoutUserErrors(payload: Payload): Fields {
  if (payload.userErrors.length === 0) return payload;
  throw new Error(
    payload.userErrors
      .map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)
      .join('\n'),
  );
}
