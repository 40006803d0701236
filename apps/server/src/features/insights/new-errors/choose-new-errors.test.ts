import { MAX_ERROR_IDS, MAX_MERGED_ERRORS } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildErrorGrouping, type ErrorSplit } from '../../errors/grouping/error-grouping.ts';
import { buildMergedErrors } from '../../errors/merges/merged-errors.ts';
import { chooseNewErrors } from './choose-new-errors.ts';

const UNGROUPED = buildErrorGrouping(buildMergedErrors([]), []);
const FROM = 100n;
const [BEFORE, NOW] = [10n, 110n];

const buildError = (
  id: string,
  message: string,
  began: bigint,
  environments: Record<string, bigint> = {},
) => ({
  error_id: id,
  service_name: 'shop',
  message,
  place: '',
  errors: 20,
  began,
  environments: Object.entries(environments).map(([environment, start]) => ({
    environment,
    began: start,
    errors: 2,
  })),
});
const buildNamed = (name: string, began: bigint, environments?: Record<string, bigint>) =>
  buildError(name, `The customer ${name} has no credit limit`, began, environments);

const choose = (all: Parameters<typeof chooseNewErrors>[0], grouping = UNGROUPED) =>
  chooseNewErrors(all, grouping, { from: FROM, least: 3 })
    .filter(({ ids }) => ids.length > 0)
    .map(({ environment, ids, grouping: { listMerged } }) => ({
      environment,
      errors: ids.map((id) => [id, ...listMerged(id)]),
    }));

const OF_STAGING = ['Ada', 'Ken', 'Radia'].map((name) => buildNamed(name, BEFORE, { staging: BEFORE }));
const OF_PRODUCTION = ['Mo', 'Ines', 'Alan'].map((name) => buildNamed(name, NOW, { production: NOW }));

describe('similar errors that occurred before', () => {
  test('are one new error in an environment in which none of them occurred before', () => {
    expect(choose([...OF_STAGING, ...OF_PRODUCTION])).toEqual([
      { environment: 'production', errors: [['Alan', 'Ines', 'Mo']] },
    ]);
  });

  test('are not new in an environment in which one of them occurred before', () => {
    const known = buildNamed('Grace', BEFORE, { production: BEFORE });
    expect(choose([...OF_STAGING, ...OF_PRODUCTION, known])).toEqual([]);
  });

  test('are not reported in an environment in which all of them together are too rare', () => {
    expect(choose([...OF_STAGING, ...OF_PRODUCTION.slice(0, 1), buildNamed('Bo', NOW)])).toEqual([]);
  });
});

test('similar errors of an unknown function need three words in common', () => {
  const verbs = ['save', 'connect', 'parse', 'render', 'start'];
  const all = verbs.map((verb) => buildError(verb, `Failed to ${verb}`, NOW));
  expect(choose(all)).toEqual([{ environment: null, errors: verbs.toSorted().map((verb) => [verb]) }]);
  expect(choose(all.map((one) => ({ ...one, place: 'Error\nrun\nrun.ts' })))).toEqual([
    { environment: null, errors: [['connect', 'parse', 'render', 'save', 'start']] },
  ]);
});

test('a finding stands for all similar errors, including errors whose ids do not fit into the finding', () => {
  const names = Array.from({ length: 70 }, (_, at) => `name${at}`);
  const [chosen] = chooseNewErrors(
    names.map((name) => buildNamed(name, NOW)),
    UNGROUPED,
    { from: FROM, least: 3 },
  );
  const [similar] = chosen?.similar.values() ?? [];
  expect([similar?.errors, similar?.ids.size]).toEqual([MAX_MERGED_ERRORS, 70]);
});

test('the ids of a finding are never more than a link can contain', () => {
  const names = ['Ada', 'Ken', 'Radia', 'Mo', 'Ines', 'Alan'];
  const sizes = fc.array(fc.nat(MAX_MERGED_ERRORS - 1), { minLength: names.length, maxLength: names.length });
  fc.assert(
    fc.property(sizes, fc.boolean(), (merged, isSplit) => {
      const rows = names.flatMap((targetId, at) =>
        Array.from({ length: merged[at] ?? 0 }, (_, index) => ({ errorId: `${targetId}${index}`, targetId })),
      );
      const times = { knownSince: null, knownUntil: null, splitAt: new Date(0) };
      const splits = [...names, ...rows.map(({ errorId }) => errorId)].map(
        (errorId): ErrorSplit => ({ errorId, firstId: `first ${errorId}`, ...times }),
      );
      const grouping = buildErrorGrouping(buildMergedErrors(rows), isSplit ? splits : []);
      const all = names.map((name) => buildNamed(name, NOW));
      const [chosen] = chooseNewErrors(all, grouping, { from: FROM, least: 3 });
      expect(chosen?.ids).toHaveLength(1);
      for (const id of chosen?.ids ?? []) {
        const { listMerged, listRequestIds } = chosen?.grouping ?? grouping;
        expect(listRequestIds([id, ...listMerged(id)]).length).toBeLessThanOrEqual(MAX_ERROR_IDS);
      }
    }),
  );
});
