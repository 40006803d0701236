import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useChangeView, useReadAddress, useViewParams } from '../../../shell/url-state/search-params.ts';

/** Browsers refuse an address that changes dozens of times a second, as it would under a held arrow key. Milliseconds. */
const WRITE_AFTER_MS = 250;

/** The selected step's key: at once on the page, a moment later in the address. Follows the address when that changes. */
export function useStepParam(): readonly [string | undefined, (key: string) => void] {
  const { step, trace } = useViewParams();
  const change = useChangeView();
  const [key, setKey] = useState(step);
  const written = useRef(step);
  useEffect(() => {
    if (step === written.current) return;
    written.current = step;
    setKey(step);
  }, [step]);
  const write = useEffectEvent((chosen: string | undefined, of: string | undefined) => {
    // The trace may have been left meanwhile.
    if (of !== trace || chosen === step) return;
    written.current = chosen;
    change({ step: chosen }, { replace: true });
  });
  const shownTrace = useRef(trace);
  useEffect(() => {
    if (key === written.current) return;
    const timer = setTimeout(() => write(key, shownTrace.current), WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [key]);
  const readAddress = useReadAddress();
  const [openedAt] = useState(readAddress().pathname);
  const leave = useEffectEvent(() => {
    const address = readAddress();
    // Another view of the same trace begins with the step that was selected here just before.
    if (
      key !== written.current &&
      address.pathname === openedAt &&
      address.params.trace === shownTrace.current
    )
      write(key, shownTrace.current);
  });
  useEffect(() => () => leave(), []);
  return [key, setKey];
}
