export function onError(error, _req, res, _next) {
  res.status(error.status ?? 500).json({ error: error.message });
}
