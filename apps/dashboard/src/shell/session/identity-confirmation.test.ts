import { ApiError } from '@throughline/contract';
import { expect, it, vi } from 'vitest';
import { IdentityConfirmation } from './identity-confirmation.ts';

const refused = () =>
  new ApiError({
    status: 403,
    code: 'reauthentication_required',
    message: "Confirm that it's you.",
    details: { confirmWith: 'password' },
  });

/** Creates an API request that the server rejects until `confirmed` is set. */
function createCall() {
  const server = { confirmed: false };
  const call = vi.fn(async () => {
    if (!server.confirmed) throw refused();
    return 'done';
  });
  return { server, call };
}

const createConfirmation = () => new IdentityConfirmation(() => () => {});

/** Subscribes to the confirmation, as the dialog does, and records the requested proofs. */
function watch(confirmation: IdentityConfirmation) {
  const shown: unknown[] = [];
  confirmation.subscribe(() => shown.push(confirmation.confirmWith));
  return shown;
}

it('a rejected request is sent again after the identity is confirmed', async () => {
  const confirmation = createConfirmation();
  const shown = watch(confirmation);
  const { server, call } = createCall();
  const answer = confirmation.guard(call);
  await vi.waitFor(() => expect(confirmation.confirmWith).toBe('password'));
  server.confirmed = true;
  confirmation.settle(true);
  expect(await answer).toBe('done');
  expect(call).toHaveBeenCalledTimes(2);
  expect(shown).toEqual(['password', undefined]);
});

it('if the user cancels the confirmation, the request fails with the message that nothing was changed', async () => {
  const confirmation = createConfirmation();
  watch(confirmation);
  const { call } = createCall();
  const answer = confirmation.guard(call).catch((error: unknown) => error);
  await vi.waitFor(() => expect(confirmation.confirmWith).toBe('password'));
  confirmation.settle(false);
  expect(await answer).toMatchObject({
    code: 'reauthentication_required',
    message: 'Nothing was changed, because you did not confirm your identity.',
  });
  expect(call).toHaveBeenCalledTimes(1);
});

it('concurrent requests ask for a single confirmation', async () => {
  const confirmation = createConfirmation();
  const shown = watch(confirmation);
  const { server, call } = createCall();
  const answers = Promise.all([confirmation.guard(call), confirmation.guard(call)]);
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2));
  server.confirmed = true;
  confirmation.settle(true);
  expect(await answers).toEqual(['done', 'done']);
  expect(shown).toEqual(['password', undefined]);
});

it('the dialog returns the focus after the request ends, and only if the dialog was shown', async () => {
  let focused = 0;
  const confirmation = new IdentityConfirmation(() => () => {
    focused += 1;
  });
  watch(confirmation);
  const { server, call } = createCall();
  const answer = confirmation.guard(call);
  await vi.waitFor(() => expect(confirmation.confirmWith).toBe('password'));
  expect(focused).toBe(0);
  server.confirmed = true;
  confirmation.settle(true);
  await answer;
  expect(focused).toBe(1);
  await confirmation.guard(call);
  expect(focused).toBe(1);
});

it('errors that require no confirmation are rethrown; if the page has no dialog, errors that require a confirmation are rethrown, too', async () => {
  const confirmation = createConfirmation();
  const { call } = createCall();
  await expect(confirmation.guard(call)).rejects.toThrow("Confirm that it's you.");
  watch(confirmation);
  const broken = async () => {
    throw new Error('broken');
  };
  await expect(confirmation.guard(broken)).rejects.toThrow('broken');
  expect(confirmation.confirmWith).toBeUndefined();
});
