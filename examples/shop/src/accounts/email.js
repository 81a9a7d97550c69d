const pattern = /^([a-z0-9]+[._-]?)+@([a-z0-9-]+\.)+[a-z]{2,}$/i;

export function isEmail(text) {
  return pattern.test(text);
}
