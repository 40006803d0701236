import { useNavigate } from '@tanstack/react-router';
import type { CapturedValue, Step, ValuePath, ValuePlace } from '@throughline/contract';
import { findValueAt } from '@throughline/contract/captured';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import { canFollow } from '../../../visuals/values/can-follow.ts';
import { writeAsked } from '../value-origin/asked-value.ts';
import { useValueOrigin } from '../value-origin/value-origin-context.ts';

/** Follows a value of a step: opens the step's trace at the step, with the path of the value. */
export type FollowValue = (place: ValuePlace, path: ValuePath) => void;

interface ComparedStepIds {
  /** The other request's `_id`. */
  readonly otherId: string;
  /** The call's step in each request; null if the request did not make the call. */
  readonly here: string | null;
  readonly other: string | null;
}

/**
 * Returns two functions that follow a value: of this request (`here`) and of the `other` request. A function is undefined if its request
 * did not make the call, or if values cannot be followed.
 */
export function useFollowCompared({ otherId, here, other }: ComparedStepIds): {
  readonly here: FollowValue | undefined;
  readonly other: FollowValue | undefined;
} {
  const origin = useValueOrigin();
  const change = useChangeView();
  const navigate = useNavigate();
  const { trace: opened } = useViewParams();
  if (origin === undefined) return { here: undefined, other: undefined };
  return {
    here:
      here === null
        ? undefined
        : (place, path) => origin.ask({ stepId: here, place, path }, { ...AS_STEPS, step: here }),
    other:
      other === null
        ? undefined
        : (place, path) => {
            const search = { step: other, origin: writeAsked({ stepId: other, place, path }) };
            // If a dialog over a list is open, the other trace opens in the same dialog. Otherwise the other trace opens as a page.
            if (opened !== undefined) change({ ...AS_STEPS, ...search, trace: otherId });
            else void navigate({ to: '/traces/$id', params: { id: otherId }, search });
          },
  };
}

const AS_STEPS = { compare: undefined, view: 'timeline' } as const;

/** Finds the captured field of a step that contains a compared value. Undefined for a value that cannot be followed. */
export function findPlace(
  part: string,
  path: ValuePath,
  { inputs, outputs, variables }: Step,
): ValuePlace | undefined {
  const parts: readonly (readonly [string, ValuePlace, CapturedValue | undefined])[] = [
    ['inputs', 'inputs', inputs],
    ['parameters', 'parameters', variables?.parameters],
    ['localVariables', 'localVariables', variables?.localVariables],
    ['returnValue', 'returnValue', variables?.returnValue],
    // A step without a return value is compared by its outputs.
    ['returnValue', 'outputs', outputs],
  ];
  const [, place, whole] = parts.find(([name, , value]) => name === part && value !== undefined) ?? [];
  const value = whole === undefined ? undefined : findValueAt(whole, path);
  return value !== undefined && canFollow(value) ? place : undefined;
}
