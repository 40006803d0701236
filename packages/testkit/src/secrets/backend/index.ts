import { buildCases, type Case } from './case.ts';
import { cloudForms } from './cloud.ts';
import { connectionForms } from './connections.ts';
import { fileForms } from './files.ts';
import { loginForms } from './logins.ts';
import { ordinaryForms } from './ordinary.ts';
import { privateKeyForms } from './private-keys.ts';
import { structureForms } from './structures.ts';

export type { Case } from './case.ts';

const credentialForms = [
  ...cloudForms,
  ...loginForms,
  ...connectionForms,
  ...fileForms,
  ...privateKeyForms,
  ...structureForms,
];

export const CREDENTIAL_FORMS = credentialForms.length;
export const ORDINARY_FORMS = ordinaryForms.length;

export const buildCredentials = (count: number, seed: number): Case[] =>
  buildCases(credentialForms, count, seed);

export const buildOrdinary = (count: number, seed: number): Case[] => buildCases(ordinaryForms, count, seed);
