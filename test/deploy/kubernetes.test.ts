import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/load';
import { ROLES } from '../../src/config/roles';
import { longIt } from '../support/long';
import { ROOT } from '../support/process';

/*
 * There is no cluster where the tests run. They check the manifests against the published types of the Kubernetes API, and
 * what they name: selectors, ports, settings, metrics.
 */

const FOLDER = join(ROOT, 'deploy/kubernetes');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const documents = (file: string): any[] =>
  parseAllDocuments(read(file)).map((document) => document.toJS());

/** Merges a patch as kustomize does: objects by key, lists of named objects by name. */
function merged(base: any, patch: any): any {
  if (Array.isArray(base) && Array.isArray(patch) && patch.every((each) => each?.name)) {
    const names = new Set([...base, ...patch].map(({ name }) => name));
    return [...names].map((name) => {
      const [one, other] = [base, patch].map((list) => list.find((each) => each.name === name));
      return one && other ? merged(one, other) : (one ?? other);
    });
  }
  if (typeof base !== 'object' || typeof patch !== 'object') return patch;
  const result = { ...base };
  for (const [key, value] of Object.entries(patch))
    result[key] = key in base ? merged(base[key], value) : value;
  return result;
}

const kustomization = parse(read('kustomization.yaml'));
const { metadata: _, ...pod } = parse(read('pod.yaml'));
const manifests: any[] = kustomization.resources
  .flatMap(documents)
  .map((each: any) => (each.kind === 'Deployment' ? merged(each, pod) : each));
const ofKind = (kind: string): any[] => manifests.filter((each) => each.kind === kind);
const deployments = ofKind('Deployment');
const labelsOf = (deployment: any): any => deployment.spec.template.metadata.labels;
const containerOf = (deployment: any): any => deployment.spec.template.spec.containers[0];
const selected = (selector: object): string[] =>
  deployments
    .filter((each) =>
      Object.entries(selector).every(([name, value]) => labelsOf(each)[name] === value),
    )
    .map(({ metadata }) => metadata.name);
const variables = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

it('there is a deployment for each role, selected by its budget, and the service selects the API', () => {
  const names = ROLES.map((role) => `hypha-${role}`);
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(names);
  for (const each of deployments) {
    const own = [each.metadata.name];
    expect(selected(each.spec.selector.matchLabels)).toEqual(own);
    expect(containerOf(each).env).toEqual([
      { name: 'HYPHA_ROLES', value: each.metadata.name.slice('hypha-'.length) },
    ]);
  }
  const budgets = ofKind('PodDisruptionBudget');
  expect(budgets.map(({ spec }) => selected(spec.selector.matchLabels))).toEqual(
    names.map((name) => [name]),
  );
  const [service] = ofKind('Service');
  expect(selected(service.spec.selector)).toEqual(['hypha-api']);
  const [ingress] = ofKind('Ingress');
  expect(ingress.spec.rules[0].http.paths[0].backend.service).toEqual({
    name: service.metadata.name,
    port: { name: service.spec.ports[0].name },
  });
});

it('pods have probes and ports that exist, no privileges, and nothing writable but their volumes', () => {
  const settings = variables(read('settings.env'));
  for (const each of deployments) {
    const { spec } = each.spec.template;
    const container = containerOf(each);
    expect(spec.containers).toHaveLength(1);
    const ports = Object.fromEntries(container.ports.map((port: any) => [port.name, port]));
    expect(ports.metrics.containerPort).toBe(Number(settings.HYPHA_METRICS_PORT));
    expect([container.livenessProbe.httpGet, container.readinessProbe.httpGet]).toEqual([
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ]);
    expect(spec.enableServiceLinks).toBe(false);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.volumes.map(({ name }: any) => name)).toEqual(
      container.volumeMounts.map(({ name }: any) => name),
    );
    const [data] = container.volumeMounts;
    expect(settings.DATA_DIR.startsWith(`${data.mountPath}/`)).toBe(true);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      10 + Number(container.lifecycle.preStop.exec.command[1]),
    );
    expect(container.envFrom).toEqual([
      { configMapRef: { name: kustomization.configMapGenerator[0].name } },
      { secretRef: { name: kustomization.secretGenerator[0].name } },
    ]);
  }
});

it('the settings of pods are settings of the service', () => {
  const secrets = { ...variables(read('.env.example')), ADMIN_PASSWORD: 'a password of a test' };
  for (const role of ROLES) {
    const { config, warnings } = loadConfig(
      {
        ...variables(read('settings.env')),
        ...secrets,
        HYPHA_TOKEN_SECRET: 'a token secret of a test, long enough',
        HYPHA_CONNECTOR_MASTER_PASSWORD: 'a master password of a test',
        HYPHA_ROLES: role,
      },
      FOLDER,
    );
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      roles: [role],
      data: { dir: '/var/lib/hypha/data' },
      files: { kind: 'database' },
    });
  }
});

it('workers follow the length of the queue, by a metric that the adapter serves', () => {
  const [{ spec }] = ofKind('HorizontalPodAutoscaler');
  const [metric] = spec.metrics;
  const adapter = parse(read('prometheus-adapter.yaml'));
  expect(adapter.rules.external[0].seriesQuery).toContain(metric.external.metric.name);
  const [target] = deployments.filter(({ metadata }) => metadata.name === spec.scaleTargetRef.name);
  expect(containerOf(target).env[0].value).toBe('worker');
  // The autoscaler sets the number of replicas.
  expect(target.spec.replicas).toBeUndefined();
});

it('the folder has only files that are used', () => {
  const { resources, patches, configMapGenerator } = kustomization;
  expect(
    readdirSync(FOLDER)
      .filter((file) => file !== '.env')
      .sort(),
  ).toEqual(
    [
      ...resources,
      ...patches.map(({ path }: any) => path),
      ...configMapGenerator.flatMap(({ envs }: any) => envs),
      ...['.env.example', 'kustomization.yaml', 'prometheus-adapter.yaml'],
    ].sort(),
  );
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

(hasKubectl ? longIt : it.skip)('kubectl builds these manifests', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-kubernetes-'));
  try {
    cpSync(FOLDER, dir, { recursive: true });
    cpSync(join(FOLDER, '.env.example'), join(dir, '.env'));
    const { stdout } = spawnSync('kubectl', ['kustomize', dir], { encoding: 'utf8' });
    const text = stdout
      .replaceAll(/^ +namespace: hypha\n/gm, '')
      .replaceAll(/\bhypha-(?!tls)[a-z0-9]{10}\b/g, 'hypha')
      .replaceAll('registry.example.com/hypha:latest', 'hypha');
    const built = parseAllDocuments(text).map((document) => document.toJS());
    const isGenerated = ({ kind }: any): boolean => ['ConfigMap', 'Secret'].includes(kind);
    expect(built.filter(isGenerated)).toHaveLength(2);
    expect(built.filter((each) => !isGenerated(each))).toEqual(expect.arrayContaining(manifests));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

longIt('the manifests have the types of the Kubernetes API', () => {
  // Inside of the checkout, so that the types are found.
  const dir = mkdtempSync(join(ROOT, 'node_modules/.kubernetes-'));
  try {
    const misspelt = merged(deployments[0], { spec: { template: { spec: { volume: [] } } } });
    const file = join(dir, 'manifests.ts');
    const typed = [...manifests, misspelt].map((each) => {
      const api = each.apiVersion === 'v1' ? 'core/v1' : each.apiVersion.replace('.k8s.io', '');
      return `((_: import('kubernetes-types/${api}').${each.kind}) => 0)(${JSON.stringify(each)});`;
    });
    writeFileSync(file, typed.join('\n'));
    const program = ts.createProgram([file], { strict: true, noEmit: true, types: [] });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(problems).toEqual([expect.stringContaining('\'"volume"\' does not exist')]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
