const PLACEHOLDER = /\{\{(.+)\}\}/g;

function lookup(values, field) {
  const value = values[field.trim()];
  return value === undefined || value === null ? '' : String(value);
}

export function render(template, values) {
  return template.replace(PLACEHOLDER, (match, field) => lookup(values, field));
}
