import { useQuery } from '@tanstack/react-query';
import type { CapturedValue, Trace, TracePart } from '@throughline/contract';
import { useState } from 'react';
import { buildPartOptions } from '../data/queries.ts';
import { getPart } from './missing-part.ts';

/** A larger part is loaded only when the user requests it. Bytes. */
const LOADED_UP_TO = 1_000_000;

/** The loading state of a captured part of a trace, such as the body. */
export type PartState =
  | { readonly state: 'captured'; readonly value: CapturedValue }
  | { readonly state: 'missing' }
  | { readonly state: 'loading'; readonly bytes: number }
  | { readonly state: 'large'; readonly bytes: number; readonly load: () => void }
  | {
      readonly state: 'failed';
      readonly error: unknown;
      readonly retry: () => void;
      readonly retrying: boolean;
    };

/** Returns a captured part of a trace. Loads the part if it was too large to be sent with the trace. */
export function useTracePart(trace: Trace, part: TracePart): PartState {
  const [isWanted, setWanted] = useState(false);
  const leftOut = trace.leftOut?.find((each) => each.part === part);
  const enabled = leftOut !== undefined && (isWanted || leftOut.bytes <= LOADED_UP_TO);
  const query = useQuery({ ...buildPartOptions(trace._id, part), enabled });
  if (leftOut === undefined) return buildKnownState(getPart(trace, part));
  if (query.isSuccess) return buildKnownState(query.data.value);
  if (!enabled) return { state: 'large', bytes: leftOut.bytes, load: () => setWanted(true) };
  return query.isError
    ? {
        state: 'failed',
        error: query.error,
        retry: () => void query.refetch(),
        retrying: query.isFetching,
      }
    : { state: 'loading', bytes: leftOut.bytes };
}

function buildKnownState(value: CapturedValue | undefined): PartState {
  return value === undefined ? { state: 'missing' } : { state: 'captured', value };
}
