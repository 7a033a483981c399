import { decide } from '../../../src/features/online-services/online-service';
import { startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { invokerXml, operationXml, uploadInvoker } from '../../support/documents/invokers';
import { jobResult, jobEvents } from '../../support/service/jobs';
import { movingClock } from '../../support/service/moving-clock';
import { PORTAL_TOKEN, startPortal } from '../../support/peers/portal';
import type { TestPortal } from '../../support/peers/portal';
import { template12 } from '../../support/documents/templates';
import { until } from '../../support/until';

const DAY_MS = 24 * 60 * 60 * 1_000;
const START = `mutation($input: SynchronisationStartInput!) { synchronisationStart(input: $input) { job { databaseId } userErrors { code path message } } }`;
const CONFLICTS = '{ onlineServices { sources { kind conflicts { itemId name reason } } } }';

let portal: TestPortal;
let service: TestService;
const clock = movingClock();
beforeAll(async () => {
  portal = await startPortal();
  const env = {
    ...portal.env,
    HYPHA_ONLINE_SERVICES_INVOKER_SYNC_ACTIVE: 'true',
    HYPHA_ONLINE_SERVICES_INVOKER_SYNC_TIME: '0 0 3 * * *',
    // A day passes in a test.
    HYPHA_TOKEN_ACTIVITY_TIME: '1000000',
    HYPHA_TOKEN_EXPIRATION_TIME: '1000000',
  };
  service = await startService({ env, clock, scheduleTickMs: 20 });
});
afterAll(async () => {
  await service.close();
  await portal.close();
});
beforeEach(() => {
  portal.files.invokers.clear();
  portal.files.templates.clear();
  portal.instead.clear();
});

async function start(kind = 'INVOKER', isDryRun = false): Promise<number> {
  const synchronisationStart = await service.field(START, { input: { kind, isDryRun } });
  expect(synchronisationStart.userErrors).toEqual([]);
  return synchronisationStart.job.databaseId;
}

const synchronise = async (kind?: string, isDryRun?: boolean): Promise<any> =>
  jobResult(service, await start(kind, isDryRun));
const actionsOf = ({ items }: any, ...names: string[]): Record<string, string> =>
  Object.fromEntries(
    items.flatMap(({ name, action }: any) => (names.includes(name) ? [[name, action]] : [])),
  );
const localXml = async (name: string): Promise<string> =>
  (await service.api('GET', `/api/invoker/${name}/xml`)).text;
const conflicts = async (kind = 'INVOKER'): Promise<any[]> =>
  (await service.field(CONFLICTS)).sources.find((each: any) => each.kind === kind).conflicts;
const decideAs = (decision: 'Take' | 'Keep', itemId: string): Promise<any> =>
  service
    .data(
      `mutation($itemId: String!) { onlineItem${decision}(input: { itemId: $itemId }) { item { name } userErrors { code } } }`,
      { itemId },
    )
    .then((data) => data[`onlineItem${decision}`]);

/** Different texts of an invoker. */
const versions = (name: string) => ({
  one: invokerXml(name),
  two: invokerXml(name, operationXml('Second')),
  three: invokerXml(name, operationXml('Third')),
});

describe('the three-way rule', () => {
  const states = [null, 'a', 'b', 'c'];
  const all = states.flatMap((base) =>
    states.flatMap((local) => ['a', 'b', 'c'].map((remote) => ({ base, local, portal: remote }))),
  );

  it('overwrites only what was not changed here, and forgets no change of the portal', () => {
    for (const state of all) {
      const { base, local, portal: remote } = state;
      const { action } = decide(state);
      const isChangedHere = local !== base;
      const isChangedThere = remote !== base;
      const isWritten = action === 'ADDED' || action === 'UPDATED';
      expect({ state, isWritten }).toEqual({ state, isWritten: !isChangedHere && isChangedThere });
      expect({ state, action: action === 'CONFLICT' }).toEqual({
        state,
        action: isChangedHere && isChangedThere && local !== remote,
      });
      expect({ state, action: action === 'KEPT' }).toEqual({
        state,
        action: isChangedHere && !isChangedThere,
      });
    }
  });
});

describe('a synchronisation of invokers', () => {
  it('adds, updates and leaves alone', async () => {
    const [name, other, third] = [unique('Portal'), unique('Portal'), unique('Portal')];
    const { one, two } = versions(name);
    portal.files.invokers
      .set(name, one)
      .set(other, invokerXml(other))
      .set(third, invokerXml(third));
    expect(actionsOf(await synchronise(), name, other, third)).toEqual({
      [name]: 'ADDED',
      [other]: 'ADDED',
      [third]: 'ADDED',
    });
    expect(await localXml(name)).toBe(one);
    expect(portal.tokens.every((token) => token === `Bearer ${PORTAL_TOKEN}`)).toBe(true);

    portal.requested.length = 0;
    const second = await synchronise();
    expect(second).toMatchObject({ state: 'SUCCEEDED', counts: { unchanged: 3 } });
    expect(portal.requested).toEqual(['/portal/v1/invokers', '/portal/v1/invokers']);

    portal.files.invokers.set(name, two);
    expect(actionsOf(await synchronise(), name)).toEqual({ [name]: 'UPDATED' });
    expect(await localXml(name)).toBe(two);
    portal.files.invokers.delete(name);
    expect(actionsOf(await synchronise(), name)).toEqual({ [name]: 'GONE' });
    expect(await localXml(name)).toBe(two);
    await service.api('DELETE', `/api/invoker/${name}`);
    expect(actionsOf(await synchronise(), name)).toEqual({});
    portal.files.invokers.set(name, two);
    expect(actionsOf(await synchronise(), name)).toEqual({ [name]: 'ADDED' });
  });

  it('takes names that look like paths, which are only names here', async () => {
    const names = [
      'a/b',
      '../c',
      '..\\\\d',
      'C:\\\\e.xml',
      '/etc/passwd',
      'g/../h',
      'i//j/',
      '%2e%2e',
      'm?n#o',
    ];
    for (const name of names) portal.files.invokers.set(name, invokerXml(name));
    expect(actionsOf(await synchronise(), ...names)).toEqual(
      Object.fromEntries(names.map((name) => [name, 'ADDED'])),
    );
    for (const name of names) {
      const path = `/api/invoker/${encodeURIComponent(name)}`;
      expect((await service.api('GET', `${path}/xml`)).text).toBe(invokerXml(name));
      expect(await service.status('DELETE', path)).toBe(204);
    }
  });

  it('keeps an edit that is saved while the file of the portal is read', async () => {
    const name = unique('Portal');
    const { one, two, three } = versions(name);
    portal.files.invokers.set(name, one);
    await synchronise();
    portal.files.invokers.set(name, three);
    const held = new Promise<() => void>((resolve) =>
      portal.instead.set(`/portal/v1/invokers/${name}`, (_request, response) =>
        resolve(() => response.end(three)),
      ),
    );
    const id = await start();
    const release = await held;
    await uploadInvoker(service, two);
    release();
    expect(actionsOf(await jobResult(service, id), name)).toEqual({ [name]: 'CONFLICT' });
    expect(await localXml(name)).toBe(two);
  });

  it('takes and keeps over REST', async () => {
    const [takenName, keptName] = [unique('Portal'), unique('Portal')];
    for (const each of [takenName, keptName]) {
      await uploadInvoker(service, versions(each).one);
      portal.files.invokers.set(each, versions(each).two);
    }
    await synchronise();
    const listed = async (): Promise<string[]> =>
      (await service.api('GET', '/api/online-services')).body.kinds[0].conflicts.map(
        ({ itemId }: any) => itemId,
      );
    const [takenId, keptId] = [takenName, keptName].map((each) => `INVOKER/${each.toLowerCase()}`);
    expect(await listed()).toEqual(expect.arrayContaining([takenId, keptId]));
    const decide = (decision: string, itemId: string): Promise<number> =>
      service.status('POST', `/api/online-services/items/${decision}`, { body: { itemId } });
    expect([await decide('take', takenId), await decide('keep', keptId)]).toEqual([204, 204]);
    expect([await localXml(takenName), await localXml(keptName)]).toEqual([
      versions(takenName).two,
      versions(keptName).one,
    ]);
    expect(await listed()).not.toEqual(expect.arrayContaining([takenId]));
    expect(await decide('keep', keptId)).toBe(404);
  });

  it('keeps what was changed on both sides, until someone decides', async () => {
    const [name, other] = [unique('Portal'), unique('Portal')];
    for (const each of [name, other]) portal.files.invokers.set(each, versions(each).one);
    await synchronise();
    for (const each of [name, other]) {
      await uploadInvoker(service, versions(each).two);
      portal.files.invokers.set(each, versions(each).three);
    }
    expect(actionsOf(await synchronise(), name, other)).toEqual({
      [name]: 'CONFLICT',
      [other]: 'CONFLICT',
    });
    expect(await localXml(name)).toBe(versions(name).two);
    const items = (await conflicts()).filter((each) => [name, other].includes(each.name));
    expect(items.map(({ reason }) => reason)).toEqual(['CHANGED', 'CHANGED']);
    const idOf = (itemName: string) => items.find((each) => each.name === itemName).itemId;

    expect(await decideAs('Take', idOf(name))).toEqual({ item: { name }, userErrors: [] });
    expect(await localXml(name)).toBe(versions(name).three);
    expect((await decideAs('Keep', idOf(other))).userErrors).toEqual([]);
    expect(await localXml(other)).toBe(versions(other).two);
    expect((await decideAs('Keep', idOf(other))).userErrors).toEqual([
      { code: 'ONLINE_ITEM_NOT_FOUND' },
    ]);
    expect(actionsOf(await synchronise(), name, other)).toEqual({ [other]: 'KEPT' });
    expect((await decideAs('Take', idOf(other))).userErrors).toEqual([]);
    expect(await localXml(other)).toBe(versions(other).three);
  });

  it('does not restore what was deleted here, and offers its new version', async () => {
    const name = unique('Portal');
    portal.files.invokers.set(name, versions(name).one);
    await synchronise();
    await service.api('DELETE', `/api/invoker/${name}`);
    expect(actionsOf(await synchronise(), name)).toEqual({ [name]: 'KEPT' });
    portal.files.invokers.set(name, versions(name).two);
    expect(actionsOf(await synchronise(), name)).toEqual({ [name]: 'CONFLICT' });
    expect(await service.status('GET', `/api/invoker/${name}`)).toBe(404);
    const forced = await service.api('PUT', '/api/invoker/list/sync-force', {
      body: { identifiers: [name] },
    });
    expect(forced.status).toBe(204);
    expect(await localXml(name)).toBe(versions(name).two);
  });

  it('of existing ones follows the same content, and keeps another', async () => {
    const [same, different] = [unique('Portal'), unique('Portal')];
    await uploadInvoker(service, versions(same).one);
    await uploadInvoker(service, versions(different).one);
    portal.files.invokers.set(same, versions(same).one).set(different, versions(different).two);
    expect(actionsOf(await synchronise(), same, different)).toEqual({
      [same]: 'LINKED',
      [different]: 'CONFLICT',
    });
    portal.files.invokers.set(same, versions(same).two);
    expect(actionsOf(await synchronise(), same)).toEqual({ [same]: 'UPDATED' });
  });

  it('changes nothing in a dry run', async () => {
    const name = unique('Portal');
    portal.files.invokers.set(name, versions(name).one);
    const dry = await synchronise('INVOKER', true);
    expect([dry.dryRun, actionsOf(dry, name)]).toEqual([true, { [name]: 'ADDED' }]);
    expect(await service.status('GET', `/api/invoker/${name}`)).toBe(404);
    expect(actionsOf(await synchronise(), name)).toEqual({ [name]: 'ADDED' });
  });

  it('is started when it is due', async () => {
    const name = unique('Portal');
    portal.files.invokers.set(name, versions(name).one);
    clock.forward(DAY_MS);
    await until(async () => (await service.status('GET', `/api/invoker/${name}`)) === 200);
    await until(async () => {
      const [newest] = await service.body('GET', '/api/sync-history');
      return newest.state === 'SUCCEEDED' && newest.startedBy === null && newest.counts.added === 1;
    });
    const onlineServices = await service.field(
      '{ onlineServices { isActive address sources { kind isActive cron nextAt last { state startedBy } } } }',
    );
    expect(onlineServices).toMatchObject({
      isActive: true,
      address: portal.url,
      sources: [
        {
          kind: 'INVOKER',
          isActive: true,
          cron: '0 0 3 * * *',
          last: { state: 'SUCCEEDED', startedBy: null },
        },
        { kind: 'TEMPLATE', isActive: false, nextAt: null, last: null },
      ],
    });
    expect(Date.parse(onlineServices.sources[0].nextAt)).toBeGreaterThan(clock.now().getTime());
    expect(await service.body('GET', '/api/sync-history/status')).toEqual({
      active: true,
      invoker_sync: { active: true },
      template_sync: { active: false },
    });
  });
});

describe('a synchronisation of templates', () => {
  it('adds, updates, and keeps local changes', async () => {
    const template = template12();
    const id = template.templateId;
    const text = (name: string) => JSON.stringify({ ...template, name });
    portal.files.templates.set(id, text('One'));
    expect(await synchronise('TEMPLATE')).toMatchObject({ counts: { added: 1 } });
    portal.files.templates.set(id, text('Two'));
    expect(await synchronise('TEMPLATE')).toMatchObject({ counts: { updated: 1 } });
    const stored = await service.api('GET', `/api/template/${id}`);
    expect(stored.body.name).toBe('Two');
    const update = await service.api('PUT', `/api/template/${id}`, {
      body: { ...stored.body, name: 'Mine' },
    });
    expect(update.status).toBe(200);
    expect(await synchronise('TEMPLATE')).toMatchObject({ counts: { kept: 1 } });
    portal.files.templates.set(id, text('Three'));
    expect(await synchronise('TEMPLATE')).toMatchObject({ counts: { conflicts: 1 } });
    expect((await service.api('GET', `/api/template/${id}`)).body.name).toBe('Mine');
    const [{ itemId }] = await conflicts('TEMPLATE');
    expect((await decideAs('Take', itemId)).userErrors).toEqual([]);
    expect((await service.api('GET', `/api/template/${id}`)).body.name).toBe('Three');
    expect(await synchronise('TEMPLATE')).toMatchObject({ counts: { unchanged: 1 } });
  });
});

describe('a portal that misbehaves', () => {
  const failure = async (kind?: string): Promise<string> => {
    const last = (await jobEvents(service, await start(kind))).at(-1);
    expect([last.state, last.error.code]).toEqual(['FAILED', 'PORTAL_FAILED']);
    const [newest] = await service.body('GET', '/api/sync-history');
    expect([newest.state, newest.message]).toEqual(['FAILED', last.error.message]);
    return last.error.message;
  };
  const page = (text: string, status = 200) =>
    portal.instead.set('/portal/v1/invokers', (_request, response) => {
      response.statusCode = status;
      response.end(text);
    });
  const item = { id: 'x', sha256: '0'.repeat(64), href: 'invokers/x' };

  it.each<[string, string, number, RegExp]>([
    ['refuses the token', '', 401, /status 401/],
    ['fails', 'oops', 500, /status 500/],
    ['answers no JSON', '<html>', 200, /not valid JSON/],
    ['answers another form', '{"data":[]}', 200, /documented form: items/],
    ['lists a wrong hash', JSON.stringify({ items: [{ ...item, sha256: 'x' }] }), 200, /sha256/],
    ['lists twice', JSON.stringify({ items: [item, item] }), 200, /twice/],
    [
      'links elsewhere',
      JSON.stringify({ items: [{ ...item, href: 'http://other.test/x' }] }),
      200,
      /not a part of it/,
    ],
    [
      'links to another user',
      JSON.stringify({ items: [], next: 'http://user:secret@127.0.0.1/' }),
      200,
      /not a part of it/,
    ],
    [
      'lists a lone surrogate',
      JSON.stringify({ items: [{ ...item, id: '\ud800' }] }),
      200,
      /well-formed/,
    ],
    ['has pages in a circle', JSON.stringify({ items: [], next: '?' }), 200, /circle/],
  ])('%s', async (_what, text, status, message) => {
    page(text, status);
    expect(await failure()).toMatch(message);
  });

  it('drops the connection', async () => {
    portal.instead.set('/portal/v1/invokers', (request) => request.socket.destroy());
    expect(await failure()).not.toContain(PORTAL_TOKEN);
  });

  it('sends the token nowhere else', async () => {
    let wasCalled = false;
    const elsewhere = await startPortal();
    elsewhere.instead.set('/stolen', (_request, response) => {
      wasCalled = true;
      response.end('{"items":[]}');
    });
    const target = new URL('/stolen', elsewhere.url).href;
    portal.instead.set('/portal/v1/invokers', (_request, response) => {
      response.writeHead(302, { location: target }).end();
    });
    expect(await failure()).toMatch(/redirects/);
    expect(wasCalled).toBe(false);
    await elsewhere.close();
  });

  it('with wrong files does not stop the others', async () => {
    const [good, bad, other, lost] = ['Good', 'Bad', 'Other', 'Lost'].map((each) => unique(each));
    portal.files.invokers
      .set(lost, versions(lost).one)
      .set(bad, '<invoker>')
      .set(other, versions(unique('Else')).one)
      .set(good, versions(good).one);
    portal.instead.set(`/portal/v1/invokers/${lost}`, (_request, response) => {
      response.end(versions(lost).two);
    });
    const result = await synchronise();
    expect(actionsOf(result, good, bad, other, lost)).toEqual({
      [lost]: 'FAILED',
      [bad]: 'FAILED',
      [other]: 'FAILED',
      [good]: 'ADDED',
    });
    const messages = result.items.flatMap(({ name, message }: any) =>
      [bad, other, lost].includes(name) ? [message] : [],
    );
    expect(messages).toEqual([
      expect.stringContaining('SHA-256'),
      expect.any(String),
      expect.stringContaining('another item'),
    ]);
  });

  it('that delivers no files ends the synchronisation after three', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((each) => unique(each));
    for (const name of names) {
      portal.files.invokers.set(name, versions(name).one);
      portal.instead.set(`/portal/v1/invokers/${name}`, (request) => request.socket.destroy());
    }
    await failure();
    const [{ items }] = await service.body('GET', '/api/sync-history');
    expect(items.map(({ action }: any) => action)).toEqual(['FAILED', 'FAILED', 'FAILED']);
  });

  it('that drips is limited by the time of a call', async () => {
    const impatient = await startService({
      env: { ...portal.env, HYPHA_OUTBOUND_TIMEOUT: '300' },
    });
    const name = unique('Drip');
    portal.files.invokers.set(name, versions(name).one);
    portal.instead.set(`/portal/v1/invokers/${name}`, (_request, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const { body } = await impatient.api('POST', '/api/online-services/synchronisations', {
      body: { kind: 'INVOKER' },
    });
    const result = await jobResult(impatient, body.jobId);
    expect(result.items).toEqual([
      {
        name,
        action: 'FAILED',
        message: expect.stringMatching(/No complete answer within 300 ms/),
      },
    ]);
    expect(JSON.stringify(impatient.logs)).not.toContain(PORTAL_TOKEN);
    await impatient.close();
  });

  it('must be allowed by the address policy', async () => {
    const strict = await startService({ env: { ...portal.env, HYPHA_OUTBOUND_DENY: '127.0.0.1' } });
    const { body } = await strict.api('POST', '/api/online-services/synchronisations', {
      body: { kind: 'INVOKER' },
    });
    expect((await jobEvents(strict, body.jobId)).at(-1).error.message).toMatch(
      /address policy refuses/,
    );
    expect(await strict.body('GET', '/api/sync-history')).toMatchObject([
      { state: 'FAILED', startedBy: 'admin@hypha.test' },
    ]);
    await strict.close();
  });

  it('that hangs blocks only its own synchronisation, which can be cancelled', async () => {
    const held = new Promise<void>((resolve) =>
      portal.instead.set('/portal/v1/invokers', () => resolve()),
    );
    const id = await start();
    await held;
    const second = await service.data(START, { input: { kind: 'INVOKER' } });
    expect(second.synchronisationStart.userErrors).toMatchObject([
      { code: 'SYNCHRONISATION_RUNNING', path: ['kind'] },
    ]);
    expect(await synchronise('TEMPLATE')).toMatchObject({ state: 'SUCCEEDED' });
    await service.mutate('jobCancel', { id: `${id}` }, 'userErrors { code }');
    expect((await jobEvents(service, id)).at(-1).state).toBe('CANCELLED');
    const [newest] = (await service.api('GET', '/api/sync-history?limit=2')).body.filter(
      (each: any) => each.kind === 'INVOKER',
    );
    expect(newest).toMatchObject({ state: 'FAILED', message: 'It was interrupted.' });
  });
});

describe('without a portal', () => {
  it('everything is off', async () => {
    const alone = await startService();
    const started = await alone.data(START, { input: { kind: 'TEMPLATE' } });
    expect(started.synchronisationStart.userErrors).toMatchObject([
      {
        code: 'ONLINE_SERVICES_OFF',
        message: expect.stringContaining(
          'Set hypha.online-services.active, hypha.online-services.url',
        ),
      },
    ]);
    expect(await alone.body('GET', '/api/sync-history')).toEqual([]);
    await alone.close();
  });
});
