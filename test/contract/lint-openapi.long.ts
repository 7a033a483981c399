import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-openapi-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The findings for a description. */
function judged(document: object): { passes: boolean; problems: string } {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/lint-openapi.mjs', file], {
    encoding: 'utf8',
  });
  return { passes: status === 0, problems: stderr };
}

describe('the check of the OpenAPI description', () => {
  const document = (): any => JSON.parse(readFileSync('schema/openapi.json', 'utf8'));

  it('fails with the errors of each of the three validators', () => {
    const broken = document();
    // Requires a description on responses, and listed tags.
    delete broken.paths['/healthz'].get.responses['200'].description;
    broken.paths['/readyz'].get.tags = ['Unknown'];
    const { passes, problems } = judged(broken);
    expect(passes).toBe(false);
    expect(problems).toMatch(/^structure: .*description/ms);
    expect(problems).toMatch(/^redocly struct: .*description/m);
    expect(problems).toMatch(/^spectral operation-tag-defined: /m);
  });

  it('fails for an example that does not match its schema', () => {
    const broken = document();
    broken.paths['/api/login'].post.requestBody.content['application/json'].example = { email: 7 };
    expect(judged(broken)).toEqual({ passes: false, problems: expect.stringContaining('example') });
  });
});
