import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { EmptyState, Loading } from './states';

/**
 * A component that is loaded when it is first shown.
 * @param load imports the module
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  return function Lazy(props: Props) {
    const [component, setComponent] = useState(() => loaded);
    const [hasFailed, setHasFailed] = useState(false);
    useEffect(() => {
      if (component !== null) return;
      load().then(
        (Component) => {
          loaded = Component;
          setComponent(() => Component);
        },
        () => setHasFailed(true),
      );
    }, []);
    if (hasFailed)
      return (
        <EmptyState
          icon="cloud"
          title="This part of the page could not be loaded"
          action={
            <button type="button" class="button" onClick={() => location.reload()}>
              Reload
            </button>
          }
        >
          The service may have been updated.
        </EmptyState>
      );
    const Component = component;
    return Component === null ? <Loading name="the page" rows={6} /> : <Component {...props} />;
  };
}
