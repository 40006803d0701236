import type { Identity, SignedIn } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { Session } from './session.ts';
import type { KeyValueStorage } from './stored-session.ts';

/** A browser's storage, which several pages may share. */
function createStorage(): KeyValueStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

const identity = (name: string): Identity => ({
  user: {
    id: '0198c000-0000-7000-8000-000000000001',
    name,
    email: `${name.toLowerCase()}@example.com`,
    emailVerified: true,
    pendingEmail: null,
    userType: 'solo',
    createdAt: '2026-01-01T00:00:00.000000Z',
  },
  organization: null,
});
const signedIn = (name: string, token: string): SignedIn => ({ ...identity(name), token });

/** Opens pages of one browser: a page's storage changes reach the other pages as events, in the order of the standard. */
function openPages(count: number, known: Map<string, Identity> = new Map()) {
  const storage = createStorage();
  const pages: Session[] = [];
  const check = async (token: string) => known.get(token) ?? null;
  for (let place = 0; place < count; place++) {
    pages.push(
      new Session({
        storage,
        check,
        tellLogout: () => {
          for (const [other, page] of pages.entries()) if (other !== place) page.hearLogout();
        },
      }),
    );
  }
  return { storage, pages, hear: (place: number) => pages[place]?.hearStorage('auth_token') };
}

const [ADA, BEN] = [signedIn('Ada', 'token-a'), signedIn('Ben', 'token-b')];
const only = (pages: Session[]): Session => {
  const [page] = pages;
  if (page === undefined) throw new Error('no page was opened');
  return page;
};

describe('a session', () => {
  it('is stored under the documented names', () => {
    const { storage, pages } = openPages(1);
    only(pages).signIn(ADA);
    expect([...storage.values.keys()].sort()).toEqual(['auth_token', 'organization_data', 'user_data']);
    expect(storage.values.get('auth_token')).toBe('token-a');
    only(pages).logout();
    expect(storage.values.size).toBe(0);
  });

  it('is checked with the server when the page opens', async () => {
    const { storage } = openPages(0);
    storage.setItem('auth_token', 'token-a');
    const check = async (token: string) => (token === 'token-a' ? identity('Ada') : null);
    const page = new Session({ storage, check, tellLogout: () => undefined });
    expect(page.state.status).toBe('checking');
    await page.check();
    expect(page.state).toMatchObject({ status: 'signed-in', token: 'token-a', user: { name: 'Ada' } });
  });

  it('ends if the server no longer accepts its token', async () => {
    const { storage } = openPages(0);
    storage.setItem('auth_token', 'old');
    const page = new Session({ storage, check: async () => null, tellLogout: () => undefined });
    await page.check();
    expect(page.state).toEqual({ status: 'anonymous' });
    expect(storage.values.size).toBe(0);
  });

  it('is kept if the server cannot be reached', async () => {
    const { storage } = openPages(0);
    storage.setItem('auth_token', 'token-a');
    let reachable = false;
    const check = async () => {
      if (!reachable) throw new Error('no network');
      return identity('Ada');
    };
    const page = new Session({ storage, check, tellLogout: () => undefined });
    await page.check();
    expect(page.state.status).toBe('unchecked');
    expect(storage.values.get('auth_token')).toBe('token-a');
    reachable = true;
    await page.check();
    expect(page.state.status).toBe('signed-in');
  });

  it('lasts until the page is closed if the browser forbids storage', () => {
    const refuse = () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
    const page = new Session({
      storage: { getItem: refuse, setItem: refuse, removeItem: refuse },
      check: async () => null,
      tellLogout: () => undefined,
    });
    page.signIn(ADA);
    expect(page.token()).toBe('token-a');
    page.logout();
    expect(page.token()).toBeNull();
  });

  it('is not changed by a late response to a request of the previous session', async () => {
    const { storage } = openPages(0);
    storage.setItem('auth_token', 'token-a');
    let answer: (identity: Identity | null) => void = () => undefined;
    const check = () => new Promise<Identity | null>((resolve) => (answer = resolve));
    const page = new Session({ storage, check, tellLogout: () => undefined });
    const checked = page.check();
    page.signIn(BEN);
    answer(null);
    await checked;
    expect(page.state).toMatchObject({ status: 'signed-in', token: 'token-b' });
  });

  it('is not ended when the server rejects an older token', () => {
    const { pages } = openPages(1);
    only(pages).signIn(ADA);
    only(pages).signIn(BEN);
    only(pages).expire('token-a');
    expect(only(pages).token()).toBe('token-b');
    only(pages).expire('token-b');
    expect(only(pages).state.status).toBe('anonymous');
  });
});

describe('the open pages of one browser', () => {
  it('log in and out together', () => {
    const { pages, hear } = openPages(2);
    const [here, there] = pages;
    here?.signIn(ADA);
    hear(1);
    expect(there?.state).toMatchObject({ status: 'signed-in', user: { name: 'Ada' } });
    here?.logout();
    expect(there?.state.status).toBe('anonymous');
  });

  it('follow a change of account, even if the logout event arrives last', () => {
    const { storage, pages, hear } = openPages(2);
    const [here, there] = pages;
    here?.signIn(ADA);
    hear(1);
    here?.signIn(BEN);
    there?.hearLogout();
    expect(there?.state).toMatchObject({ status: 'signed-in', token: 'token-b' });
    expect(storage.values.get('auth_token')).toBe('token-b');
  });

  it('ignore changes of other storage keys', () => {
    const { storage, pages } = openPages(1);
    only(pages).signIn(ADA);
    storage.values.clear();
    only(pages).hearStorage('colour_scheme');
    expect(only(pages).state.status).toBe('signed-in');
    only(pages).hearStorage(null);
    expect(only(pages).state.status).toBe('anonymous');
  });

  it('notify their listeners of each change once', () => {
    const { pages } = openPages(1);
    let notifications = 0;
    const stop = only(pages).subscribe(() => notifications++);
    only(pages).signIn(ADA);
    only(pages).logout();
    only(pages).hearLogout();
    expect(notifications).toBe(2);
    stop();
    only(pages).signIn(ADA);
    expect(notifications).toBe(2);
  });
});
