/** The program that is built and profiled: six functions in two files, each with a number that only its hot line has. */

export interface SlowFunction {
  readonly name: string;
  readonly file: string;
  /** In its hot line alone, whatever a tool does to the code. */
  readonly mark: string;
}

export const slowFunctions: readonly SlowFunction[] = [
  ...['quoteCart', 'sumCart', 'sortCart'].map((name, index) => ({
    name,
    file: 'cart',
    mark: `${1_000_003 + index * 34}`,
  })),
  ...['roundPrice', 'taxPrice', 'packPrice'].map((name, index) => ({
    name,
    file: 'price',
    mark: `${2_000_003 + index * 26}`,
  })),
];

function textOf({ name, mark }: SlowFunction): string {
  return `export function ${name}(limit: number): number {
  let ${name}Sum = 0;
  for (let i = 0; i < limit; i++) ${name}Sum = (${name}Sum * 31 + i) % ${mark};
  return ${name}Sum;
}
`;
}

const files = (name: string): string =>
  slowFunctions
    .filter(({ file }) => file === name)
    .map(textOf)
    .join('\n');

/** The texts by path, in TypeScript. */
export const sources: Readonly<Record<string, string>> = {
  'src/cart.ts': files('cart'),
  'src/price.ts': files('price'),
  'src/main.ts': `import { quoteCart, sortCart, sumCart } from './cart.ts';
import { packPrice, roundPrice, taxPrice } from './price.ts';

const limit = Number(process.env['LIMIT'] ?? 6e6);
setTimeout(() => quoteCart(limit), 1);
setTimeout(() => sumCart(limit), 5);
setTimeout(() => sortCart(limit), 10);
setTimeout(() => roundPrice(limit), 15);
setTimeout(() => taxPrice(limit), 20);
setTimeout(() => packPrice(limit), 25);
`,
};

/** What people do to a file after they have profiled it. */
export interface Change {
  readonly name: string;
  /** The new text of `src/cart.ts`. */
  readonly edit: (text: string) => string;
  /** Its new name. */
  readonly movesTo?: string;
  readonly isRebuilt?: boolean;
  /** Functions whose own code is another, or that are gone. */
  readonly changed: readonly string[];
}

const [quote = '', sum = '', sort = ''] = files('cart').split(/\n(?=export)/);
const above = '// What a cart costs.\n\nexport const currency = "EUR";\nexport const digits = 2;\n\n';

export const unchangedFiles: Change = { name: 'unchanged', edit: (text) => text, changed: [] };

export const changes: readonly Change[] = [
  {
    name: 'changed',
    edit: (text) =>
      text.replace(
        '(quoteCartSum * 31 + i) % 1000003;',
        '(quoteCartSum * 37 + i) % 3000017;\n  if (limit < 0) throw new Error();',
      ),
    changed: ['quoteCart'],
  },
  { name: 'moved', edit: () => above + [sort, quote, sum].join('\n'), changed: [] },
  { name: 'renamed', edit: (text) => text, movesTo: 'src/basket.ts', changed: [] },
  {
    name: 'reformatted',
    edit: (text) =>
      text
        .replaceAll('  ', '\t')
        .replaceAll(/(for \(.*\)) (\w+ = )/g, '$1\n\t\t$2')
        .replaceAll(' {\n', '\n{\n'),
    changed: [],
  },
  { name: 'deleted', edit: () => [sum, sort].join('\n'), changed: ['quoteCart'] },
  { name: 'rebuilt', edit: () => above + [sort, quote, sum].join('\n'), isRebuilt: true, changed: [] },
  // A function between two others that are alike, and another of the same name.
  {
    name: 'replaced',
    edit: () =>
      [
        sum,
        quote.replace('quoteCart', 'offerCart'),
        sort.replaceAll('sortCart', 'quoteCart').replace(/% \d+/, '% 3000029'),
      ].join('\n'),
    changed: ['quoteCart', 'sortCart'],
  },
];
