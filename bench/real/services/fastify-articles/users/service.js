import { hashPassword } from '../database.js';
import { ServiceError } from '../errors.js';

export class UserService {
  constructor(repository) {
    this.repository = repository;
  }

  /** A token is the user's id. It has no signature, because signing would add a library's CPU time to the measurement. */
  authenticate(authorization) {
    const id = readToken(authorization);
    return id === undefined ? null : (this.repository.findById(id) ?? null);
  }

  async login(email, password) {
    const user = this.repository.findByEmail(email);
    if (user === undefined || hashPassword(password, user.salt) !== user.password)
      throw new ServiceError(403, { 'email or password': ['is invalid'] });
    return user;
  }

  async findProfile(id, viewer) {
    const { username, bio, image } = this.repository.findById(id);
    return { username, bio, image, following: isFollowing(viewer, id) };
  }
}

function readToken(authorization = '') {
  const [, id] = /^Token user-(\d+)$/.exec(authorization) ?? [];
  return id === undefined ? undefined : Number(id);
}

function isFollowing(viewer, id) {
  return viewer !== null && viewer.id !== id && id % 2 === 0;
}
