import express from 'express';
import { IngredientRepository } from './src/ingredients/ingredient-repository.mjs';
import { NutritionCalculator } from './src/nutrition/nutrition-calculator.mjs';
import { NutritionService } from './src/nutrition/nutrition-service.mjs';
import { TtlCache } from './src/nutrition/ttl-cache.mjs';
import { RecipeRepository } from './src/recipes/recipe-repository.mjs';
import { buildRouter } from './src/router.mjs';

const ingredients = new IngredientRepository();
const recipes = new RecipeRepository();
const nutrition = new NutritionService({
  recipes,
  calculator: new NutritionCalculator(ingredients),
  cache: new TtlCache({ ttlMs: 10 * 60_000 }),
});

const app = express();
app.use(express.json());
app.use(buildRouter({ ingredients, recipes, nutrition }));
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message });
});
app.listen(process.env.PORT, '127.0.0.1');
