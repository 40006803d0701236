import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { openApi, routes, SDK_TARBALL_PATH } from '@throughline/contract';
import { AppError } from '../../platform/http/errors.ts';
import { type HttpContext, serveAnyone } from '../../platform/http/serve.ts';
import { withTimeout } from '../../platform/queues/with-timeout.ts';

export interface ProductDeps {
  readonly version: string;
  readonly demo: boolean;
  /** True if accounts choose their own plans. False if the operator sets plans; prices then have no meaning. */
  readonly plansForSale: boolean;
  readonly publicUrl: () => string;
  /** Path of the packed SDK, which the build creates. */
  readonly sdkTarball: string;
  readonly isDraining: () => boolean;
  readonly pings: { readonly control: () => Promise<void>; readonly traces: () => Promise<void> };
}

/** Registers the product's own endpoints: health checks, OpenAPI description, public URL, and the packed SDK. */
export function registerProduct(http: HttpContext, deps: ProductDeps): void {
  const { product } = routes;
  // The OpenAPI description is built at the first request, because building it when the server starts would delay the start by 0.1 s.
  let description: ReturnType<typeof openApi> | undefined;
  serveAnyone(http, product.live, async () => ({ status: 'live' as const }));
  serveAnyone(http, product.ready, async () => {
    if (deps.isDraining()) throw new AppError('unavailable', 'The server is stopping.');
    const [control, traces] = await Promise.all([
      doesAnswer(deps.pings.control),
      doesAnswer(deps.pings.traces),
    ]);
    const down = [...(control ? [] : ['control']), ...(traces ? [] : ['trace'])];
    if (down.length > 0)
      throw new AppError('unavailable', `The ${down.join(' and the ')} store does not respond.`);
    return { status: 'ready' as const, stores: { control: 'up' as const, traces: 'up' as const } };
  });
  serveAnyone(http, product.openApi, async () => {
    description ??= openApi(deps.version);
    return description;
  });
  serveAnyone(http, product.about, async () => ({
    version: deps.version,
    publicUrl: deps.publicUrl(),
    demo: deps.demo,
    plansForSale: deps.plansForSale,
  }));
  http.app.get(SDK_TARBALL_PATH, async (_request, reply) => {
    const packed = await stat(deps.sdkTarball).catch(() => undefined);
    if (packed === undefined)
      throw new AppError('not_found', 'The SDK is not packed on this server: run `npm run build`.');
    return reply
      .type('application/gzip')
      .header('content-length', packed.size)
      .header('cache-control', 'no-cache')
      .send(createReadStream(deps.sdkTarball));
  });
}

const PING_TIMEOUT_MS = 3_000;

async function doesAnswer(ping: () => Promise<void>): Promise<boolean> {
  const answered = ping().then(() => true);
  return (await withTimeout(PING_TIMEOUT_MS, answered)) ?? false;
}
