import express from 'express';
import { loadMeal } from './lib/kitchen.mjs';
import { findConflicts } from './lib/allergens.mjs';

const app = express();

async function checkMeal(childId, dishId) {
  const { child, dish } = await loadMeal(childId, dishId);
  if (!child || !dish) return null;
  const conflicts = findConflicts(child, dish);
  return { child: child.name, dish: dish.name, safe: conflicts.length === 0, conflicts };
}

async function getCheck(req, res) {
  const result = await checkMeal(req.params.child, req.params.dish);
  if (!result) return res.status(404).json({ error: 'unknown child or dish' });
  res.json(result);
}

function handleError(error, req, res, next) {
  res.status(500).json({ error: error.message });
}

app.get('/children/:child/meals/:dish', getCheck);
app.use(handleError);

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
