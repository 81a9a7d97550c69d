import bcrypt from 'bcryptjs';
import { sealCard } from './card.js';
import { isEmail } from './email.js';

const cost = 11;

export class Accounts {
  #byEmail = new Map();

  /** Calls back with the new account. */
  register({ email, password }, callback) {
    if (!isEmail(email)) return callback(refused('This is no e-mail address', 400));
    if (this.#byEmail.has(email)) return callback(refused('This e-mail address is taken', 409));
    bcrypt.hash(password, cost, (error, hash) => {
      if (error) return callback(error);
      const account = { email, hash, card: null };
      this.#byEmail.set(email, account);
      callback(null, account);
    });
  }

  /** Calls back with the account, or with null when the address or the password is wrong. */
  signIn({ email, password }, callback) {
    const account = this.#byEmail.get(email);
    if (account === undefined) return callback(null, null);
    bcrypt.compare(password, account.hash, (error, same) => callback(error, same ? account : null));
  }

  /** Keeps a credit card for the next order. */
  keepCard(email, number) {
    const account = this.#byEmail.get(email);
    if (account === undefined) throw refused('There is no such account', 404);
    account.card = sealCard(number);
    return `•••• ${number.slice(-4)}`;
  }
}

function refused(message, status) {
  return Object.assign(new Error(message), { status });
}
