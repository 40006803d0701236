export async function jsonBody(ctx, next) {
  if (ctx.method !== 'GET') {
    const chunks = [];
    for await (const chunk of ctx.req) chunks.push(chunk);
    ctx.state.body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  }
  await next();
}
