function cookies(header: string): Map<string, string> {
  const pairs = header.split(';').map((part) => part.trim().split('=', 2));
  return new Map(pairs.map(([name, value]) => [name ?? '', value ?? '']));
}

/** Returns the name of the desk at which a clerk works. The login page stores the name as Base64 in a cookie. */
export function deskName(header: string): string {
  const desk = cookies(header).get('desk');
  if (!desk) throw Object.assign(new Error('choose a desk first'), { status: 401 });
  return atob(decodeURIComponent(desk));
}
