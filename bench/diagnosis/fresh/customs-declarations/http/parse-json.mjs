export const parseJson = () => async (ctx, next) => {
  if (ctx.method === 'POST') {
    let raw = '';
    for await (const chunk of ctx.req) raw += chunk;
    ctx.state.payload = JSON.parse(raw);
  }
  return next();
};
