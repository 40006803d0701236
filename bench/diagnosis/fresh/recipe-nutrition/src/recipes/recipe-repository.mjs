const RECIPES = [
  { id: 14, slug: 'nutty-granola', title: 'Nutty granola', servings: 8, parts: [['oats', 400], ['hazelnut', 150], ['butter', 60]] },
  { id: 15, slug: 'lentil-soup', title: 'Red lentil soup', servings: 4, parts: [['red-lentil', 250], ['coconut-milk', 400], ['tomato', 300]] },
  { id: 22, slug: 'greek-salad', title: 'Greek salad', servings: 3, parts: [['tomato', 400], ['cucumber', 300], ['feta', 200], ['olive-oil', 40]] },
  { id: 31, slug: 'overnight-oats', title: 'Overnight oats', servings: 2, parts: [['oats', 120], ['oat-milk', 300], ['hazelnut', 30]] },
];

export class RecipeRepository {
  async bySlug(slug) {
    const recipe = RECIPES.find((one) => one.slug === slug);
    if (!recipe) throw Object.assign(new Error(`no recipe ${slug}`), { status: 404 });
    return recipe;
  }

  async using(ingredient) {
    return RECIPES.filter(({ parts }) => parts.some(([code]) => code === ingredient));
  }
}
