import { ApiError } from '@throughline/contract';
import { expect, it, vi } from 'vitest';
import { IdentityConfirmation } from './identity-confirmation.ts';

const refused = () =>
  new ApiError({
    status: 403,
    code: 'reauthentication_required',
    message: "Please confirm that it's you.",
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

/** As the dialog does: watches, and is asked at some later moment. */
function watch(confirmation: IdentityConfirmation) {
  const shown: unknown[] = [];
  confirmation.subscribe(() => shown.push(confirmation.confirmWith));
  return shown;
}

it('makes a call again once the identity is confirmed', async () => {
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

it('fails a call, and says that nothing was changed, when the question is cancelled', async () => {
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

it('asks once for calls that wait at the same time', async () => {
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

it('gives the focus back once the call is over, and only where it asked', async () => {
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

it('passes other failures on, and those that nobody can be asked about', async () => {
  const confirmation = createConfirmation();
  const { call } = createCall();
  await expect(confirmation.guard(call)).rejects.toThrow("Please confirm that it's you.");
  watch(confirmation);
  const broken = async () => {
    throw new Error('broken');
  };
  await expect(confirmation.guard(broken)).rejects.toThrow('broken');
  expect(confirmation.confirmWith).toBeUndefined();
});
