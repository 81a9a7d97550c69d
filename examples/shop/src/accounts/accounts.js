import bcrypt from 'bcryptjs';
import { isEmail } from './email.js';
import { hashPassword, verifyPassword } from './password.js';

export class Accounts {
  #byEmail = new Map();

  /** Accounts of the old shop come with their bcrypt hashes. */
  constructor(imported = []) {
    for (const account of imported) this.#byEmail.set(account.email, account);
  }

  register({ email, password }) {
    if (!isEmail(email)) throw refused('This is no e-mail address', 400);
    if (this.#byEmail.has(email)) throw refused('This e-mail address is taken', 409);
    const account = { email, password: hashPassword(password) };
    this.#byEmail.set(email, account);
    return account;
  }

  /** Calls back with the account, or with null when the address or the password is wrong. */
  signIn(email, password, callback) {
    const account = this.#byEmail.get(email);
    if (account === undefined) return callback(null, null);
    if (account.password.startsWith('$2')) {
      bcrypt.compare(password, account.password, (error, same) => callback(error, same ? account : null));
    } else {
      callback(null, verifyPassword(password, account.password) ? account : null);
    }
  }
}

function refused(message, status) {
  return Object.assign(new Error(message), { status });
}
