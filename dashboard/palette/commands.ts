import { signOut } from '../api/session';
import { hasPermission } from '../current-user';
import { createWorkflow } from '../build/workflows/new-workflow';
import { pathOf } from '../build/invokers/invoker-path';
import type { PaletteRecordsQuery, SearchType } from '../generated/operations';
import { NAVIGATION } from '../layout';
import { formatConstant } from '../parts/format';
import type { IconName } from '../parts/icon';
import { follow, href } from '../router';
import { pageCommands } from './page-commands';
import type { Command } from './page-commands';
import { openHelp } from './palette-dialogs';

/** Commands under one title. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

const linkTo = (path: string, text: string, icon: IconName, detail = ''): Command => ({
  text,
  icon,
  detail,
  run: () => follow(href(path)),
});

const ACTIONS: readonly (Command & { readonly permission?: string })[] = [
  { text: 'New workflow', icon: 'plus', permission: 'CONNECTION:CREATE', run: createWorkflow },
  { ...linkTo('connectors/new', 'New connector', 'plus'), permission: 'CONNECTOR:CREATE' },
  { ...linkTo('schedules/new', 'New schedule', 'plus'), permission: 'SCHEDULE:CREATE' },
  { text: 'Help and keys', icon: 'empty', detail: '?', run: openHelp },
  { text: 'Sign out', icon: 'person', run: signOut },
];

/** Rates a match, higher is better. Null: the letters do not occur in this order. */
export function rateMatch(typed: string, text: string): number | null {
  const [letters, label] = [typed.toLowerCase(), text.toLowerCase()];
  const at = label.indexOf(letters);
  if (at === 0) return 4;
  if (at > 0) return label[at - 1] === ' ' ? 3 : 2;
  let from = 0;
  for (const letter of letters) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return null;
  }
  return 1 / (1 + from - letters.length);
}

function matching(title: string, commands: readonly Command[], typed: string) {
  const rated = commands
    .map((command) => ({ command, rating: rateMatch(typed, command.text) }))
    .filter((each): each is { command: Command; rating: number } => each.rating !== null)
    .sort((one, other) => other.rating - one.rating);
  return { title, commands: rated.map(({ command }) => command), rating: rated[0]?.rating ?? 0 };
}

/** Returns the pages and actions that match, the best group first. */
export function findCommands(typed: string): readonly CommandGroup[] {
  const pages = NAVIGATION.flatMap(({ items }) => items)
    .filter(({ permissions }) => permissions.some(hasPermission.value))
    .map(({ path, label }) => linkTo(path, label, 'right'));
  const actions = ACTIONS.filter(
    ({ permission }) => permission === undefined || hasPermission.value(permission),
  );
  return [
    matching('This page', pageCommands.value, typed),
    matching('Pages', [...pages, linkTo('account', 'Your account', 'person')], typed),
    matching('Actions', actions, typed),
  ]
    .filter(({ commands }) => commands.length > 0)
    .sort((one, other) => other.rating - one.rating);
}

const RECORDS: Readonly<Record<SearchType, readonly [title: string, path: string, IconName]>> = {
  WORKFLOW: ['Workflows', 'workflows', 'branch'],
  CONNECTOR: ['Connectors', 'connectors', 'call'],
  SCHEDULE: ['Schedules', 'schedules', 'clock'],
  INVOKER: ['Invokers', 'invokers', 'globe'],
  SECRET: ['Secrets', 'secrets', 'lock'],
  TEMPLATE: ['Templates', 'templates', 'copy'],
  AGGREGATOR: ['Aggregators', 'aggregators', 'dots'],
  CATEGORY: ['Categories', 'categories', 'empty'],
};

/** Returns a path of the page of a record. Categories share one page. */
function pathOfRecord({ type, title, node }: PaletteRecordsQuery['search'][number]): string {
  const [, path] = RECORDS[type];
  if (type === 'INVOKER') return pathOf(title);
  return type === 'CATEGORY' || node === null || !('databaseId' in node)
    ? path
    : `${path}/${node.databaseId}`;
}

/** Returns the records of a search as commands that open their pages. */
export function recordCommands({ search, run }: PaletteRecordsQuery): readonly CommandGroup[] {
  const groups = (Object.keys(RECORDS) as SearchType[]).map((type) => ({
    title: RECORDS[type][0],
    commands: search
      .filter((hit) => hit.type === type)
      .map((hit) => {
        const path = pathOfRecord(hit);
        const number = /\/(\d+)$/.exec(path)?.[1];
        return linkTo(path, hit.title, RECORDS[type][2], number && `#${number}`);
      }),
  }));
  const runs = run
    ? [
        linkTo(
          `runs/${run.databaseId}`,
          `Run ${run.databaseId}${run.workflow ? `: ${run.workflow.title}` : ''}`,
          'play',
          formatConstant(run.state),
        ),
      ]
    : [];
  return [{ title: 'Runs', commands: runs }, ...groups].filter(
    ({ commands }) => commands.length > 0,
  );
}
