import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';

export interface Post {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly publishedAt: Date;
  readonly readingMinutes: number;
}

type PostRow = Omit<Post, 'readingMinutes'>;

const POSTS = `SELECT posts.id, title, body, users.name AS author, published_at AS "publishedAt"
  FROM posts JOIN users ON users.id = posts.author_id`;
const WORDS_A_MINUTE = 200;

export async function listPosts(database: Database, limit: number): Promise<Post[]> {
  const rows = await database.query<PostRow>(
    `${POSTS} ORDER BY published_at DESC, posts.id DESC LIMIT $1`,
    limit,
  );
  return rows.map(withReadingTime);
}

export async function findPost(database: Database, id: number): Promise<Post> {
  const [row] = await database.query<PostRow>(`${POSTS} WHERE posts.id = $1`, id);
  if (row === undefined) throw new Refusal(404, `There is no post ${id}`);
  return withReadingTime(row);
}

export async function createPost(
  database: Database,
  authorId: number,
  text: { readonly title: string; readonly body: string },
): Promise<Post> {
  const [created] = await database.query<{ id: number }>(
    'INSERT INTO posts (author_id, title, body) VALUES ($1, $2, $3) RETURNING id',
    ...[authorId, text.title, text.body],
  );
  if (created === undefined) throw new Error('the post was not stored');
  return await findPost(database, created.id);
}

function withReadingTime(row: PostRow): Post {
  const words = row.body.split(/\s+/).length;
  return { ...row, readingMinutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)) };
}
