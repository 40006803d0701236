import { expect, test } from 'vitest';
import { findStep } from '../harness/flow.ts';
import { testService } from '../harness/test-service.ts';
import { scenario, service } from './service.ts';

const getRuns = testService({
  service,
  scenario,
  flows: {
    0: `
corsMiddleware
GET /`,
    1: `
corsMiddleware
GET /id
  Realm.generateClientId
    Realm.getClientById`,
    2: `
corsMiddleware
GET /peers
  Realm.getClientsIds`,
    3: 'corsMiddleware',
  },
  errors: {},
});

test('functions of a minified bundle show the author’s file, line and variables', (context) => {
  const step = findStep(getRuns(context).traces[1], 'Realm.generateClientId');
  expect(step.filePath).toBe('peer/src/models/realm.ts');
  expect(Object.keys(Object(step.variables?.localVariables))).toEqual(['generateId', 'clientId']);
});
