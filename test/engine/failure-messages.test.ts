import type { OutboundRequest } from '../../src/engine';
import { httpStep, ofKind, reference, runWith, workflow } from './support/run';

/* The error message of a run whose call failed. */

const answering = (status: number, body = '{}') => ({
  send: async ({ url }: OutboundRequest) =>
    url.includes('/first')
      ? {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from('{"id":"c-4711","password":"geheim-99"}'),
        }
      : { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) },
});
const refusing = {
  send: async () => {
    throw Object.assign(new Error('Connection refused.'), { code: 'OUTBOUND_CONNECTION_FAILED' });
  },
};

const messageOf = async (
  url: string,
  http: object,
  recordSegments = false,
): Promise<string | undefined> =>
  (
    await runWith(
      workflow(httpStep('0', 'http://remote/first'), httpStep('1', url)),
      { http: http as ReturnType<typeof answering> },
      { recordSegments },
    )
  ).error?.message;

it.each([true, false])(
  'the message names method, URL without query string, and status, recorded or not: %p',
  async (recordSegments) => {
    expect(
      await messageOf('http://remote/cards/7?token=abc#part', answering(503), recordSegments),
    ).toBe('Step "step 1" (1): GET http://remote/cards/7 answered 503.');
    expect(
      await messageOf(
        `http://remote/customers/${reference('0', '(response).body.id')}`,
        answering(404),
        recordSegments,
      ),
    ).toBe('Step "step 1" (1): GET http://remote/customers/c-4711 answered 404.');
    expect(
      await messageOf('http://user:word-17@remote:8080/cards', answering(500), recordSegments),
    ).toBe('Step "step 1" (1): GET http://remote:8080/cards answered 500.');
    expect(
      await messageOf('http://remote/cards', answering(200, 'no JSON'), recordSegments),
    ).toMatch(
      /^Step "step 1" \(1\): GET http:\/\/remote\/cards answered 200: The answer calls itself JSON and is not/,
    );
    expect(
      (
        await runWith(
          workflow(httpStep('0', 'http://remote/cards?x=1', { request: { method: 'POST' } })),
          { http: refusing },
          { recordSegments },
        )
      ).error?.message,
    ).toBe(`Step "step 0" (0): POST http://remote/cards: Connection refused.`);
  },
);

it.each([true, false])(
  'the message masks secrets in the path, also in a truncated address, recorded or not: %p',
  async (recordSegments) => {
    for (const fill of ['', 'x'.repeat(470), 'x'.repeat(475)]) {
      const run = await runWith(
        workflow(
          httpStep('0', 'http://remote/first'),
          httpStep('1', `http://remote/${fill}/${reference('0', '(response).body.password')}/end`),
        ),
        { http: answering(400) },
        { recordSegments },
      );
      expect(run.error?.message).toMatch(
        /^Step "step 1" \(1\): GET http:\/\/remote\/x*\/\*\*\*.*answered 400\.$/,
      );
      const errorText = JSON.stringify([
        run.error,
        ofKind(run, 'StepFinished').map(({ error }) => error),
      ]);
      expect(errorText).not.toMatch(/gehe/);
    }
    const long = await messageOf(
      `http://remote/${'y'.repeat(2_000)}`,
      answering(400),
      recordSegments,
    );
    expect(long).toMatch(/^Step "step 1" \(1\): GET http:\/\/remote\/y{400,500}… answered 400\.$/);
  },
);

it('the message omits the path when masking rules exist and no recorded data is available for them', async () => {
  const http = answering(404);
  const failing = workflow(
    httpStep('0', 'http://remote/first'),
    httpStep('1', `http://remote/customers/${reference('0', '(response).body.id')}`),
  );
  const ruledValues = (text: string): readonly string[] =>
    text.includes('c-4711') ? ['c-4711'] : [];
  expect(
    (await runWith(failing, { http, ruledValues }, { recordSegments: false })).error?.message,
  ).toBe('Step "step 1" (1): GET http://remote answered 404.');
  expect(
    (await runWith(failing, { http, ruledValues }, { recordSegments: true })).error?.message,
  ).toBe('Step "step 1" (1): GET http://remote/customers/*** answered 404.');
});

it('the message does not mention a call that was not made', async () => {
  const { error } = await runWith(workflow(httpStep('0', '')), { http: refusing });
  expect(error).toMatchObject({
    code: 'REQUEST_URL_IS_EMPTY',
    message: 'Step "step 0" (0): The request has no URL.',
  });
});
