import { Router } from 'express';

const EDITABLE = ['kcal', 'protein', 'salt'];

function editableFields(body) {
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => EDITABLE.includes(name) && Number.isFinite(value)));
}

function locale(request) {
  return request.get('accept-language')?.split(',')[0] ?? 'en';
}

export function buildRouter({ ingredients, recipes, nutrition }) {
  const router = Router();

  router.get('/recipes/:slug', async (request, response) => {
    const recipe = await recipes.bySlug(request.params.slug);
    const label = await nutrition.label(recipe);
    response.json({ id: recipe.id, title: recipe.title, servings: recipe.servings, locale: locale(request), ...label });
  });

  router.patch('/ingredients/:code', async (request, response) => {
    const ingredient = await ingredients.update(request.params.code, editableFields(request.body));
    const recalculated = await nutrition.ingredientChanged(ingredient.code);
    response.json({ ingredient, recalculated, editor: request.get('x-editor') });
  });

  return router;
}
