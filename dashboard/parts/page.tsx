import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** The page heading. `title` is also the title of the browser tab. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Hypha`;
  }, [title]);
  return (
    <div class="heading">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {children}
    </div>
  );
}

export function Card({
  title,
  aside,
  children,
  kind = '',
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  kind?: string;
}) {
  return (
    <section class={`card ${kind}`}>
      <div class="card-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
