import { describe, expect, it } from 'vitest';
import { duplicateCustomers, editDistance } from '../src/duplicate-customers.ts';

const first = [
  'Ada',
  'Grace',
  'Edsger',
  'Barbara',
  'Donald',
  'Frances',
  'Niklaus',
  'Radia',
  'Alan',
  'Margaret',
  'Tony',
];
const last = [
  'Nakamura',
  'Okafor',
  'Lindqvist',
  'Moreau',
  'Castellanos',
  'Petrov',
  'Haddad',
  'Brennan',
  'Zielinska',
  'Abe',
];
const streets = ['Harbour Street', 'Mill Lane'];
const customers = first.flatMap((name) =>
  last.flatMap((family) => streets.map((street) => `${name} ${family}, ${street}`)),
);

describe('duplicate customers', () => {
  it('finds none where every name is another', () => {
    expect(duplicateCustomers(customers)).toEqual([]);
  });

  it('finds a name that was spelled in two ways', () => {
    expect(duplicateCustomers([...customers, 'Graze Okafor, Mill Lane'])).toEqual([
      ['Grace Okafor, Mill Lane', 'Graze Okafor, Mill Lane'],
    ]);
  });

  it('allows for more differences when asked to', () => {
    const names = ['Jon Miller', 'John Millar', 'Joan Mills'];
    expect(duplicateCustomers(names, { tolerance: 2 })).toEqual([['Jon Miller', 'John Millar']]);
  });
});

describe('the edit distance', () => {
  it.each([
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
    ['same', 'same', 0],
  ])('of %j and %j is %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });
});
