import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useChangeView, useReadAddress, useViewParams } from '../../../shell/url-state/search-params.ts';

/**
 * A selected step is written to the URL after this time, because browsers reject a URL that changes dozens of times a second, as with a
 * held arrow key. Milliseconds.
 */
const WRITE_AFTER_MS = 250;

/** Returns the selected step's key, which changes immediately on the page and a moment later in the URL. Follows changes of the URL. */
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
    // The user may have left the trace in the meantime.
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
    // Writes a selection that is not yet in the URL, so that the next view of the same trace starts with this step.
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
