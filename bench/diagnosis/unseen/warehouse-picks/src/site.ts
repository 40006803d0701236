let current = '';

export function useSite(site: string): void {
  current = site;
}

export function activeSite(): string {
  return current;
}
