export async function login(request) {
  const { email, password } = request.body.user;
  const { users } = this.services;
  return presentUser(await users.login(email, password));
}

export async function showCurrent(request) {
  return presentUser(request.user);
}

function presentUser({ id, username, email, bio, image }) {
  return { user: { username, email, bio, image, token: `user-${id}` } };
}
