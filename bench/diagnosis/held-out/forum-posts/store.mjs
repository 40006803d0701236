import { setTimeout as delay } from 'node:timers/promises';

const post = (id, author, text) => ({ id, author, text });

const threads = {
  'sourdough': [
    post('s1', 'marta', 'My starter smells of acetone. Is it dead?'),
    post('s2', 'jon', 'No, it is hungry. Feed it twice a day.'),
    post('s3', 'marta', 'Thank you, will try.'),
    post('s4', 'ib', 'Rye flour helps, too.'),
    post('s5', 'spam-4411', 'Cheap pans here'),
    post('s6', 'jon', 'And keep it warm.'),
    post('s7', 'marta', 'It doubled over night!'),
    post('s8', 'ib', 'Congratulations.'),
  ],
  'knives': [
    post('k1', 'lee', 'Which stone for carbon steel?'),
    post('k2', 'hana', '1000 and 3000 is enough.'),
    post('k3', 'lee', 'And the angle?'),
    post('k4', 'hana', '15 degrees a side.'),
    post('k5', 'bo', 'I use 18.'),
  ],
};

export async function listPosts(thread) {
  await delay(2);
  return threads[thread];
}

export async function deletePost(thread, id) {
  await delay(2);
  threads[thread] = threads[thread].filter((each) => each.id !== id);
}
