import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asTaken, traced, withAllReferred } from '../../test/traced.ts';
import { runRecording } from './async/work-context.ts';
import { defaultLimits } from './capture/limits.ts';
import { Recording } from './recording.ts';

/** A call as plain data. The program below makes the planned calls and notes the `id` of each call. */
interface Plan {
  readonly id: number;
  readonly waits: readonly number[];
  readonly calls: readonly Plan[];
  readonly how: 'all' | 'race' | 'allSettled' | 'inTurn' | 'timer' | 'inside';
  readonly fails: boolean;
}

const source = `
const pause = (kind) => kind === 0 ? null : kind === 1 ? new Promise(setImmediate) : new Promise((r) => setTimeout(r, kind));
async function carryOut(plan, request, note) {
  note(plan.id);
  for (const kind of plan.waits) await pause(kind);
  const start = (inner) => carryOut(inner, request, note);
  switch (plan.how) {
    case 'all': { const all = plan.calls.map(start); try { await Promise.all(all) } finally { await Promise.allSettled(all) } break }
    case 'race': { const all = plan.calls.map(start); await Promise.race([null, ...all]); await Promise.allSettled(all); break }
    case 'allSettled': await Promise.allSettled(plan.calls.map(start)); break;
    case 'timer': await Promise.all(plan.calls.map((inner) => new Promise((done) => setTimeout(() => start(inner).then(done, done), 1)))); break;
    case 'inside': for (const inner of plan.calls) { try { await start(inner) } catch { await pause(1) } finally { await null } } break;
    default: for (const inner of plan.calls) { try { await start(inner) } catch (e) { note(-plan.id) } }
  }
  for (const kind of plan.waits) await pause(kind);
  if (plan.fails) throw new Error('plan ' + plan.id);
  return request;
}
exports.carryOut = carryOut`;

const plans: fc.Arbitrary<Plan> = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.record({
    id: fc.nat(),
    waits: fc.array(fc.nat(3), { maxLength: 3 }),
    calls: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('plan'), { minLength: 1, maxLength: 3 })),
    how: fc.constantFrom('all', 'race', 'allSettled', 'inTurn', 'timer', 'inside'),
    fails: fc.boolean(),
  }),
})).plan;

/** Gives each plan of a request a unique id. */
function numbered(plan: Plan, counter: { next: number }): Plan {
  const id = ++counter.next;
  return { ...plan, id, calls: plan.calls.map((inner) => numbered(inner, counter)) };
}

function expectedTree(plan: Plan): string {
  return `${plan.id}(${plan.calls.map(expectedTree).join(' ')})`;
}

describe('overlapping requests', () => {
  test('have exactly their own steps, each below its caller, if 50 requests overlap', {
    timeout: 120_000,
  }, async () => {
    const { carryOut } = traced(source, { setTimeout, setImmediate });
    if (carryOut === undefined) throw new Error('no program');
    await fc.assert(
      fc.asyncProperty(fc.array(plans, { minLength: 50, maxLength: 50 }), async (requests) => {
        await Promise.all(
          requests.map(async (request, index) => {
            const plan = numbered(request, { next: 0 });
            const began: number[] = [];
            const recording = new Recording({
              capture: 'all',
              limits: { ...defaultLimits, steps: 100_000, requestBytes: 16 * 1024 * 1024 },
            });
            const note = (id: unknown): void => {
              if (typeof id === 'number' && id > 0) began.push(id);
            };
            await Promise.allSettled([
              runRecording(recording, async () => carryOut(plan, `request ${index}`, note)),
            ]);
            const flow = withAllReferred(recording.finish().flow.map(asTaken));
            const steps = flow.filter(({ stepName }) => stepName === 'carryOut');
            expect(steps.map(readPlan)).toEqual(began);
            const shown = (parent: string | null): string[] =>
              flow.flatMap((step) => {
                if (step.parentStepId !== parent) return [];
                const below = shown(step.stepId);
                return step.stepName === 'carryOut' ? [`${readPlan(step)}(${sorted(below)})`] : below;
              });
            expect(shown(null).join(' ')).toBe(expectedTree(plan));
            expect(steps.every((step) => JSON.stringify(step.inputs).includes(`"request ${index}"`))).toBe(
              true,
            );
          }),
        );
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});

/** Sorts siblings by number, because calls from timers can start in another order. */
function sorted(children: readonly string[]): string {
  return [...children].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).join(' ');
}

function readPlan(step: { readonly inputs?: unknown }): number {
  const match = /"plan":\{"id":(\d+)/.exec(JSON.stringify(step.inputs));
  return Number(match?.[1]);
}
