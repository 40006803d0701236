export async function withBody(ctx, next) {
  if (ctx.is('json')) {
    const parts = [];
    for await (const part of ctx.req) parts.push(part);
    ctx.request.body = JSON.parse(Buffer.concat(parts).toString('utf8'));
  }
  await next();
}
