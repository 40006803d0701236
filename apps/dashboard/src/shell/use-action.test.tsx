import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { type ActionResult, useAction } from './use-action.ts';

interface ButtonProps {
  readonly send: (change: number) => Promise<string>;
  readonly onError: (error: Error) => void;
  readonly onRender: (action: ActionResult<string, number>) => void;
}

function Button({ send, onError, onRender }: ButtonProps) {
  onRender(useAction({ failure: 'The plan could not be changed.', mutationFn: send, onError }));
  return null;
}

/** Returns an action whose requests are answered one by one by the caller. */
function startAction() {
  const requests: PromiseWithResolvers<string>[] = [];
  const sent: number[] = [];
  const failures: string[] = [];
  const rendered: ActionResult<string, number>[] = [];
  const send = (change: number) => {
    sent.push(change);
    const request = Promise.withResolvers<string>();
    requests.push(request);
    return request.promise;
  };
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Button
        send={send}
        onError={({ message }) => failures.push(message)}
        onRender={(action) => rendered.push(action)}
      />
    </QueryClientProvider>,
  );
  const [action] = rendered;
  if (action === undefined) throw new Error('the action was not rendered');
  return { action, requests, sent, failures };
}

it('an action that is called again before the next render sends only one request', async () => {
  const { action, sent, requests } = startAction();
  action.mutate(1);
  action.mutate(2);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  action.mutate(3);
  expect(sent).toEqual([1]);
});

it.each(['succeeded', 'failed'] as const)('an action can be called again after it %s', async (end) => {
  const { action, sent, requests, failures } = startAction();
  action.mutate(1);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  if (end === 'succeeded') requests[0]?.resolve('done');
  else requests[0]?.reject(new Error('refused'));
  await vi.waitFor(() => {
    action.mutate(2);
    expect(sent).toEqual([1, 2]);
  });
  expect(failures).toEqual(end === 'failed' ? ['refused'] : []);
});
