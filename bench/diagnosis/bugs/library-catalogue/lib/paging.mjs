export const PAGE_SIZE = 8;

export function countPages(total) {
  return Math.floor(total / PAGE_SIZE) + 1;
}

export function computeOffset(page) {
  return (page - 1) * PAGE_SIZE;
}
