const tokens = {
  'tk-81fa': { id: 'u-810', name: 'jordana', trust: 3 },
  'tk-c07d': { id: 'u-412', name: 'stefan_b', trust: 1 },
  'tk-5e93': { id: 'u-977', name: 'lil.moth', trust: 2 },
  'tk-aa10': { id: 'u-103', name: 'nadir', trust: 4 },
};

export function authenticate(req, res, next) {
  const reporter = tokens[req.get('authorization')?.replace('Bearer ', '')];
  if (!reporter) return res.status(401).json({ error: 'sign in first' });
  req.reporter = reporter;
  next();
}
