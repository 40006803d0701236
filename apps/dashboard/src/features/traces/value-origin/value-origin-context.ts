import type { UseQueryResult } from '@tanstack/react-query';
import type { ValueOrigin } from '@throughline/contract';
import { createContext, useContext } from 'react';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import type { AskedValue } from './asked-value.ts';

/** The value that the user follows through the shown trace. */
export interface ValueOriginState {
  readonly asked: AskedValue | undefined;
  readonly query: UseQueryResult<ValueOrigin>;
  /** The ids of the steps that have the value that the user follows. */
  readonly marked: ReadonlySet<string>;
  /** Follows a value. If `change` is given, other URL parameters change, too, and the browser's Back button undoes the change. */
  readonly ask: (asked: AskedValue, change?: ViewChange) => void;
  readonly close: () => void;
  /**
   * Returns true once after the user followed a value on this page. Returns false if only the URL named the value, so that opening such a
   * URL does not move the focus.
   */
  readonly takeFocus: () => boolean;
}

export const ValueOriginContext = createContext<ValueOriginState | undefined>(undefined);

/** Returns undefined if values cannot be followed, for example without a session, and in the landing page's example. */
export function useValueOrigin(): ValueOriginState | undefined {
  return useContext(ValueOriginContext);
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the steps to mark in a list or graph. */
export function useMarkedSteps(): ReadonlySet<string> {
  return useValueOrigin()?.marked ?? NONE;
}
