import { computed, effect, signal } from '@preact/signals';
import { request } from './api/request';
import { addressOf, signedIn } from './api/session';
import { currentUser, hasPermission } from './current-user';
import { CountFailedRunsDocument } from './generated/operations';
import type { RunState } from './generated/operations';
import { isFailure, RUN_STATES } from './parts/runs/run-state';
import { route } from './router';

/** Interval of the query while the tab is visible, ms. */
const QUERY_INTERVAL_MS = 60_000;
/** Pages that show failures. */
const FAILURE_PAGES: readonly string[] = ['', 'runs'];
const LOOKED_AT = 'hypha:looked-at';
const FAILED = RUN_STATES.filter(isFailure);

/** The title of the page, without the number of failures. */
export const pageTitle = signal('');

const countedFailures = signal(0);
/** Failures that a subscription reported while the tab was hidden. */
const reportedIds = signal<ReadonlySet<number>>(new Set());
const isVisible = signal(!document.hidden);
const isLooking = computed(
  () =>
    isVisible.value && FAILURE_PAGES.includes(route.value.path) && signedIn.value === 'signed-in',
);
let queriedAt = -Infinity;

function markLooked(): void {
  localStorage.setItem(LOOKED_AT, new Date().toISOString());
  countedFailures.value = 0;
  reportedIds.value = new Set();
}

/** Counts the failures among runs that a subscription reports while the tab is hidden. */
export function reportChangedRuns(
  runs: readonly {
    readonly databaseId: number;
    readonly state: RunState;
    readonly test: boolean;
  }[],
): void {
  const failedIds = runs
    .filter(({ state, test }) => isFailure(state) && !test)
    .map(({ databaseId }) => databaseId);
  if (!isVisible.value && failedIds.length > 0)
    reportedIds.value = new Set([...reportedIds.value, ...failedIds]);
}

async function countFailures(): Promise<void> {
  const lookedAt = localStorage.getItem(LOOKED_AT);
  if (lookedAt === null) return markLooked();
  if (!isVisible.value || isLooking.value) return;
  if (currentUser.value === null || !hasPermission.value('CONNECTION:READ')) return;
  if (performance.now() - queriedAt < QUERY_INTERVAL_MS) return;
  queriedAt = performance.now();
  try {
    const { runs } = await request(CountFailedRunsDocument, { states: FAILED, since: lookedAt });
    if (isLooking.value) return;
    countedFailures.value = runs.totalCount;
    reportedIds.value = new Set();
  } catch {
    // The queries of the page report what is wrong.
  }
}

function showTitleAndIcon(): void {
  const failures = countedFailures.value + reportedIds.value.size;
  const number = failures === 0 ? '' : `(${failures > 99 ? '99+' : failures}) `;
  if (pageTitle.value !== '') document.title = `${number}${pageTitle.value} · Hypha`;
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const path = addressOf(`assets/${failures === 0 ? 'icon' : 'icon-failures'}.svg`);
  if (icon !== null && icon.getAttribute('href') !== path) icon.setAttribute('href', path);
}

/** Shows the failures since the user last looked at them in the title and icon of the tab. */
export function watchFailures(): void {
  effect(showTitleAndIcon);
  let looked = false;
  isLooking.subscribe((looks) => {
    // Also when they stop looking: what failed until then was shown.
    if (looks || looked) markLooked();
    looked = looks;
  });
  document.addEventListener('visibilitychange', () => {
    isVisible.value = !document.hidden;
    void countFailures();
  });
  currentUser.subscribe((user) => {
    if (user !== null) return void countFailures();
    countedFailures.value = 0;
    queriedAt = -Infinity;
  });
  setInterval(() => void countFailures(), QUERY_INTERVAL_MS);
}
