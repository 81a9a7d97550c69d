import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const secret = process.env.CARD_SECRET ?? 'only for development';

/** Encrypts the number of a credit card, each with a key of its own. */
export function sealCard(number) {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv(algorithm, keyFor(salt), iv);
  const sealed = Buffer.concat([cipher.update(number, 'utf8'), cipher.final()]);
  return { salt, iv, sealed, tag: cipher.getAuthTag() };
}

/** Throws where somebody changed the sealed card. */
export function openCard({ salt, iv, sealed, tag }) {
  const decipher = createDecipheriv(algorithm, keyFor(salt), iv).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
}

function keyFor(salt) {
  return scryptSync(secret, salt, 32);
}
