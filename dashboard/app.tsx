import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { signedIn } from './api/session';
import { Frame } from './frame';
import { Audit } from './pages/audit';
import { Overview } from './pages/overview';
import { RunPage } from './pages/run';
import { Runs } from './pages/runs';
import { Schedules } from './pages/schedules';
import { WorkflowPage } from './pages/workflow';
import { Workflows } from './pages/workflows';
import { Blank } from './parts/blank';
import { Heading } from './parts/page';
import { place } from './place';
import { SignIn } from './sign-in';

/** Pages by path; a number in it is the id of the shown record. */
const PAGES: readonly (readonly [RegExp, FunctionComponent<{ id: string }>])[] = [
  [/^$/, Overview],
  [/^runs$/, Runs],
  [/^runs\/(\d{1,9})$/, RunPage],
  [/^schedules$/, Schedules],
  [/^workflows$/, Workflows],
  [/^workflows\/(\d{1,9})$/, WorkflowPage],
  [/^audit$/, Audit],
];

function pageAt(path: string): ComponentChildren {
  for (const [pattern, Page] of PAGES) {
    const found = pattern.exec(path);
    if (found !== null) return <Page key={path} id={found[1] ?? ''} />;
  }
  return (
    <>
      <Heading title="Page not found" />
      <Blank icon="empty" title="Page not found">
        Check the address, or the link may be outdated.
      </Blank>
    </>
  );
}

export function App() {
  const { path } = place.value;
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    // Moves the focus to the new page, for screen readers and keyboard users.
    document.querySelector<HTMLElement>('#page')?.focus({ preventScroll: true });
  }, [path]);
  if (signedIn.value !== 'signed-in') return <SignIn />;
  return <Frame>{pageAt(path)}</Frame>;
}
