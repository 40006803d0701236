const dishes = new Map([
  ['pasta', { name: 'Pasta with pesto', ingredients: ['wheat', 'basil', 'pine nut', 'parmesan'] }],
  ['curry', { name: 'Chickpea curry', ingredients: ['chickpea', 'coconut', 'tomato'] }],
  ['fish', { name: 'Fish fingers', ingredients: ['cod', 'wheat', 'egg'] }],
  ['salad', { name: 'Bean salad', ingredients: ['bean', 'celery', 'mustard'] }],
  ['pancake', { name: 'Pancakes', ingredients: ['wheat', 'egg', 'milk'] }],
]);

const children = new Map([
  ['k1', { name: 'Leo', allergies: ['dairy'] }],
  ['k2', { name: 'Nora', allergies: [] }],
  ['k3', { name: 'Sam', allergies: ['gluten', 'egg'] }],
  ['k4', { name: 'Ida', allergies: ['pollen', 'nuts'] }],
  ['k5', { name: 'Max', allergies: ['fish'] }],
]);

export async function loadMeal(childId, dishId) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return { child: children.get(childId), dish: dishes.get(dishId) };
}
